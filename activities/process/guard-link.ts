// One guard and the children that it holds for this worker, until either side is gone.

import { ClientChild, stdinPieces } from './client-child.js';
import { TO_GUARD, TO_WORKER, type ToGuard } from './frames.js';
import { startGuard, type ChildFrame, type GuardOptions, type GuardProcess } from './guard-process.js';
import type { SpawnRequest } from './guard-spawn.js';
import type { Child, ChildExit, ChildHandlers, SpawnFailure, SpawnSpec } from './process.js';
import { endTreesOf } from './sweep.js';

/** So long a record with a session or speech outlives the reading of its exit: as the server takes to miss a worker that dies with it. */
const LINGER_MS = 15_000;
/** Asked to close, trees have so long to stop by themselves; as long as if the worker had died. */
const KILL_AFTER_MS = 4_500;
/** Nothing is left to end then, so it goes at once; a guard that hangs is killed, and its trees end by their records. */
const GUARD_LEAVES_WITHIN_MS = 5_000;

interface Starting {
  spec: SpawnSpec;
  handlers: ChildHandlers;
  resolve: (child: Child | SpawnFailure) => void;
}

export class GuardLink {
  readonly #options: GuardOptions;
  readonly #starting = new Map<number, Starting>();
  readonly #children = new Map<number, { spec: SpawnSpec; child: ClientChild }>();
  /** exits that were read and not acknowledged yet, by the dispatch's key */
  readonly #lingering = new Map<string, { id: number; timer: NodeJS.Timeout }>();
  #guard!: GuardProcess;
  #lastId = 0;
  #closing = false;
  #setIdle: () => void = () => undefined;
  #setDied!: () => void;
  /** resolves as soon as the guard is gone, before its trees are */
  readonly died = new Promise<void>((resolve) => (this.#setDied = resolve));
  /** resolves when its trees are gone as well, and everybody was told */
  ended!: Promise<void>;

  private constructor(options: GuardOptions) {
    this.#options = options;
  }

  static async start(options: GuardOptions): Promise<GuardLink> {
    const link = new GuardLink(options);
    link.#guard = await startGuard(options, (type, id, payload) => link.#handle(type, id, payload));
    link.ended = link.#guard.ended.then((how) => link.#guardEnded(how));
    return link;
  }

  spawn(spec: SpawnSpec, handlers: ChildHandlers): Promise<Child | SpawnFailure> {
    const id = ++this.#lastId;
    const { stdin, ...rest } = spec;
    const request: SpawnRequest = { ...rest, stdin: stdin === 'ignore' ? 'ignore' : 'open' };
    const spawned = new Promise<Child | SpawnFailure>((resolve) => this.#starting.set(id, { spec, handlers, resolve }));
    this.#acknowledge(spec.key);
    this.#guard.send(TO_GUARD.spawn, id, Buffer.from(JSON.stringify(request)));
    if (typeof stdin === 'object') {
      for (const piece of stdinPieces(stdin.text)) this.#guard.send(TO_GUARD.stdin, id, piece);
      this.#guard.send(TO_GUARD.stdinEnd, id);
    }
    return spawned;
  }

  /** True when this worker has read the exit: the record that is still there is for others. */
  hasReadExit(key: string): boolean {
    return this.#lingering.has(key);
  }

  /** Ends every tree, then the guard; resolves when all are gone. */
  async close(): Promise<void> {
    this.#closing = true;
    const kill = setTimeout(() => this.#children.forEach(({ child }) => child.kill()), KILL_AFTER_MS);
    for (const { child } of this.#children.values()) child.stop();
    await Promise.race([this.#whenIdle(), this.ended]);
    clearTimeout(kill);
    for (const key of [...this.#lingering.keys()]) this.#acknowledge(key);
    this.#guard.close();
    const hangs = setTimeout(() => this.#guard.kill(), GUARD_LEAVES_WITHIN_MS);
    await this.ended;
    clearTimeout(hangs);
  }

  #handle(type: ChildFrame, id: number, payload: Buffer): void {
    switch (type) {
      case TO_WORKER.started:
        return this.#started(id, JSON.parse(payload.toString()) as { pid: number });
      case TO_WORKER.failed:
        return this.#failed(id, JSON.parse(payload.toString()) as SpawnFailure);
      case TO_WORKER.stdout:
        return this.#children.get(id)?.child.deliver('stdout', payload);
      case TO_WORKER.stderr:
        return this.#children.get(id)?.child.deliver('stderr', payload);
      case TO_WORKER.exited:
        return this.#exited(id, JSON.parse(payload.toString()) as ChildExit);
      default:
        this.#options.log(`frame of unknown type ${String(type)} from the guard: worker and guard are of different versions`);
    }
  }

  #started(id: number, { pid }: { pid: number }): void {
    const starting = this.#starting.get(id);
    if (!starting) return;
    this.#starting.delete(id);
    const { spec, handlers, resolve } = starting;
    const send = (type: ToGuard, payload?: Buffer): void => this.#guard.send(type, id, payload);
    const child = new ClientChild({ spec, pid, handlers, send, log: this.#options.log });
    this.#children.set(id, { spec, child });
    if (this.#closing) child.stop();
    resolve(child);
  }

  #failed(id: number, failure: SpawnFailure): void {
    this.#starting.get(id)?.resolve(failure);
    this.#starting.delete(id);
    this.#noteIdle();
  }

  #exited(id: number, exit: ChildExit): void {
    const ended = this.#children.get(id);
    if (!ended) return;
    this.#children.delete(id);
    ended.child.end(exit);
    if (ended.child.noted && !this.#closing) this.#linger(id, ended.spec.key);
    else this.#guard.send(TO_GUARD.acknowledge, id);
    this.#noteIdle();
  }

  #linger(id: number, key: string): void {
    // the worker may end meanwhile: then the record stays, which is what it lingers for
    const timer = setTimeout(() => this.#acknowledge(key), LINGER_MS).unref();
    this.#lingering.set(key, { id, timer });
  }

  #acknowledge(key: string): void {
    const lingering = this.#lingering.get(key);
    if (!lingering) return;
    clearTimeout(lingering.timer);
    this.#lingering.delete(key);
    this.#guard.send(TO_GUARD.acknowledge, lingering.id);
  }

  async #guardEnded(how: string): Promise<void> {
    this.#setDied();
    if (this.#children.size + this.#starting.size === 0) return;
    const { log } = this.#options;
    log(`the guard (pid ${this.#guard.owner.pid}) ended with ${this.#children.size} children: ${how}; ending their trees`);
    await endTreesOf(this.#guard.owner, this.#options).catch((error: Error) => log(`their records cannot be read: ${error.message}`));
    const message = `the guard of this worker ended (${how}); its process trees were ended by their records`;
    for (const { resolve } of this.#starting.values()) resolve({ code: 'GUARD_DIED', message });
    for (const { child } of this.#children.values()) child.fail(Object.assign(new Error(message), { code: 'GUARD_DIED' }));
    this.#starting.clear();
    this.#children.clear();
    this.#noteIdle();
  }

  #whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#setIdle = resolve;
      this.#noteIdle();
    });
  }

  #noteIdle(): void {
    if (this.#children.size + this.#starting.size === 0) this.#setIdle();
  }
}

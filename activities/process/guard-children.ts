// The children of one guard: what each frame of the worker does to which of them, and what happens when the worker is gone.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { TO_GUARD, type ToGuard, type ToWorker } from './frames.js';
import { GuardChild } from './guard-child.js';
import { GuardRecord } from './guard-record.js';
import type { SpawnRequest } from './guard-spawn.js';
import type { Identity } from './identity.js';
import type { LocalRecord } from './process.js';
import { CLAIM_SUFFIX, readRecord, recordPath } from './records.js';
import type { RunningChild } from './running-child.js';
import { TreeEnder } from './tree-ender.js';

/** With the worker gone everything is to be gone within 5 s: so long for the stop signal, the rest for SIGKILL and a last look. */
const KILL_AFTER_MS = 4_500;

export interface GuardContext {
  stateDir: string;
  owner: Identity;
  send: (type: ToWorker, id: number, payload: Buffer) => void;
  log: (line: string) => void;
}

interface Held {
  id: number;
  path: string;
  child: GuardChild;
}

export class GuardChildren {
  readonly #context: GuardContext;
  readonly #ender: TreeEnder;
  readonly #held = new Map<number, Held>();
  /** which child holds a record: a later attempt takes it over */
  readonly #holders = new Map<string, Held>();
  readonly #mark = randomUUID();
  #spawning: Promise<void> = Promise.resolve();
  #abandoned = false;

  constructor(context: GuardContext) {
    this.#context = context;
    this.#ender = new TreeEnder(context.log);
  }

  /** One frame from the worker. A frame for a child that is no more is late, not wrong. */
  handle(type: ToGuard, id: number, payload: Buffer): void {
    if (type === TO_GUARD.spawn) return this.#spawn(id, JSON.parse(payload.toString()) as SpawnRequest);
    const child = this.#held.get(id)?.child;
    switch (type) {
      case TO_GUARD.stdin:
        return child?.whenRunning((running) => running.write(payload));
      case TO_GUARD.stdinEnd:
        return child?.whenRunning((running) => running.closeStdin());
      case TO_GUARD.stop:
        return child?.whenRunning((running) => running.stop());
      case TO_GUARD.kill:
        return child?.whenRunning((running) => void running.kill());
      case TO_GUARD.note:
        return child?.keep((record) => record.note(JSON.parse(payload.toString()) as { session?: string; spoke?: boolean }));
      case TO_GUARD.stdoutCredit:
        return child?.whenRunning((running) => running.credit('stdout', payload.readUInt32LE()));
      case TO_GUARD.stderrCredit:
        return child?.whenRunning((running) => running.credit('stderr', payload.readUInt32LE()));
      case TO_GUARD.acknowledge:
        return this.#acknowledge(id);
      default:
        this.#context.log(`frame of unknown type ${String(type)} from the worker: worker and guard are of different versions`);
    }
  }

  /** The worker does not read: no child is read either. */
  hold(held: boolean): void {
    for (const { child } of this.#held.values()) if (!child.isGone) child.whenRunning((running) => running.hold(held));
  }

  /** The worker is gone: each tree is asked to stop, then killed; their records stay. Resolves when nothing is left. */
  async abandon(): Promise<void> {
    this.#abandoned = true;
    const all = Array.from(this.#held.values(), ({ child }) => child);
    for (const child of all) child.whenRunning(leaveTo);
    const kill = setTimeout(() => all.forEach((child) => child.whenRunning((running) => void running.kill())), KILL_AFTER_MS);
    await Promise.all(all.map((child) => child.gone));
    clearTimeout(kill);
    for (const child of all) child.keep((record) => record.ended(new Date()));
  }

  #spawn(id: number, request: SpawnRequest): void {
    const { stateDir, owner, send, log } = this.#context;
    const marker = `${this.#mark}.${id}`;
    const path = recordPath(stateDir, request.run, request.dispatch);
    const record = new GuardRecord(path, newRecord(request, owner, marker));
    const child = new GuardChild({ request, marker, record, ender: this.#ender, log, send: (type, payload) => send(type, id, payload) });
    const held = { id, path, child };
    this.#held.set(id, held);
    // one a turn of the loop: starting blocks for a millisecond, and a burst must not hold up what runs, nor the news of the worker's end
    this.#spawning = this.#spawning.then(nextTurn);
    void this.#begin(held, this.#spawning);
  }

  async #begin(held: Held, turn: Promise<void>): Promise<void> {
    await turn;
    const earlier = this.#holders.get(held.path);
    this.#holders.set(held.path, held);
    await (earlier ? endOwn(earlier.child) : this.#endForeign(held.path));
    const refusal = { code: 'ECANCELED', message: 'nothing was started: the worker is gone' };
    const started = this.#abandoned ? held.child.refuse(refusal) : await held.child.begin();
    if (started) earlier?.child.keep((record) => record.release());
    else this.#release(held, earlier);
  }

  /** At no moment two live trees of one dispatch: what another guard, dead or cut off from the server, has left of it ends first. */
  async #endForeign(path: string): Promise<void> {
    for (const file of [path, `${path}${CLAIM_SUFFIX}`]) {
      const left = existsSync(file) ? this.#readLeft(file) : undefined;
      if (left === undefined || left.ended !== undefined) continue;
      const ended = await this.#ender.end({ pid: left.pid, start: left.start, marker: left.marker ?? '', ownsGroup: false, scope: 'tree' });
      if (ended > 0) this.#context.log(`${left.run}/${left.dispatch}: ended ${ended} processes of its earlier attempt ${left.attempt}`);
    }
  }

  #readLeft(path: string): LocalRecord | undefined {
    try {
      return readRecord(path);
    } catch (error) {
      this.#context.log((error as Error).message);
      return undefined;
    }
  }

  #acknowledge(id: number): void {
    const held = this.#held.get(id);
    if (!held?.child.isGone) return;
    held.child.keep((record) => record.remove());
    this.#release(held);
  }

  #release(held: Held, earlier?: Held): void {
    this.#held.delete(held.id);
    if (this.#holders.get(held.path) !== held) return;
    // the earlier attempt's record is still there, and still its own
    if (earlier && this.#held.has(earlier.id)) this.#holders.set(held.path, earlier);
    else this.#holders.delete(held.path);
  }
}

async function endOwn(child: GuardChild): Promise<void> {
  if (!child.isGone) child.whenRunning((running) => void running.kill());
  await child.gone;
}

/** Nobody reads its output any more: it must not hang on a full pipe while it stops. */
function leaveTo(running: RunningChild): void {
  running.discard();
  running.stop();
}

function newRecord({ run, dispatch, attempt }: SpawnRequest, owner: Identity, marker: string): LocalRecord {
  return { run, dispatch, attempt, owner, pid: 0, start: '', startedAt: new Date().toISOString(), spoke: false, marker };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

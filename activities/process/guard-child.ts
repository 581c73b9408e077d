// One child as the guard holds it: started with its record, told about in frames, gone when nothing of its tree is left.
// It does not know the other children.

import { TO_WORKER, type ToWorker } from './frames.js';
import type { GuardRecord } from './guard-record.js';
import { spawnProcess, type SpawnRequest } from './guard-spawn.js';
import { startOf } from './identity.js';
import type { SpawnFailure } from './process.js';
import { RunningChild, type PipedProcess } from './running-child.js';
import type { TreeEnder } from './tree-ender.js';
import type { TreeRoot } from './tree.js';

export interface GuardChildContext {
  request: SpawnRequest;
  marker: string;
  record: GuardRecord;
  ender: TreeEnder;
  send: (type: ToWorker, payload: Buffer) => void;
  log: (line: string) => void;
}

export class GuardChild {
  readonly #context: GuardChildContext;
  #running: RunningChild | undefined;
  /** what was asked before it had started */
  #early: ((child: RunningChild) => void)[] = [];
  #setGone = (): void => undefined;
  /** resolves when the tree is gone and its exit was told, or when nothing could be started */
  readonly gone = new Promise<void>((resolve) => (this.#setGone = resolve));
  isGone = false;

  constructor(context: GuardChildContext) {
    this.#context = context;
  }

  /** @returns whether it was started; if not, the worker has been told why */
  async begin(): Promise<boolean> {
    const { request, marker, record } = this.#context;
    try {
      record.claim();
    } catch (error) {
      return this.refuse(recordFailure(error as NodeJS.ErrnoException));
    }
    const spawned = await spawnProcess(request, marker);
    if ('child' in spawned) return this.#started(spawned.child, spawned.pid);
    this.keep((mine) => mine.notStarted());
    return this.refuse(spawned.failure);
  }

  /** Nothing was started, and nothing will be. */
  refuse(failure: SpawnFailure): false {
    this.#context.send(TO_WORKER.failed, json(failure));
    this.#end();
    return false;
  }

  /** Now, or as soon as it runs. Nothing at all if it never does. */
  whenRunning(action: (child: RunningChild) => void): void {
    if (this.#running) action(this.#running);
    else this.#early.push(action);
  }

  /**
   * Updates the record. Where the disk refuses, that is logged and no more: the tree matters more than its record, and the next attempt
   * has the heartbeat's details.
   */
  keep(update: (record: GuardRecord) => void): void {
    try {
      update(this.#context.record);
    } catch (error) {
      this.#context.log(`local record of ${this.#context.request.key}: ${(error as NodeJS.ErrnoException).message}`);
    }
  }

  async #started(process: PipedProcess, pid: number): Promise<boolean> {
    const { request, record, marker, send, ender } = this.#context;
    // not yet collected by its parent, which is this process: its table entry is there even if it has ended already
    const start = startOf(pid) ?? '';
    const root: TreeRoot = { pid, start, marker, ownsGroup: true, scope: 'tree' };
    const stdout = (chunk: Buffer): void => send(TO_WORKER.stdout, chunk);
    const stderr = (chunk: Buffer): void => send(TO_WORKER.stderr, chunk);
    const running = new RunningChild({ process, root, stopSignal: request.stopSignal, ender, stdout, stderr });
    try {
      record.started({ pid, start });
    } catch (error) {
      await running.kill();
      this.keep((mine) => mine.notStarted());
      return this.refuse(recordFailure(error as NodeJS.ErrnoException));
    }
    send(TO_WORKER.started, json({ pid }));
    this.#running = running;
    for (const action of this.#early.splice(0)) action(running);
    void running.exited.then((exit) => {
      send(TO_WORKER.exited, json(exit));
      this.#end();
    });
    return true;
  }

  #end(): void {
    this.isGone = true;
    this.#setGone();
  }
}

function recordFailure({ code = 'UNKNOWN', message }: NodeJS.ErrnoException): SpawnFailure {
  return { code, message: `nothing was started, because its local record could not be written: ${message}` };
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

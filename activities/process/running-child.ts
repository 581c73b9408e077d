// A child that runs: its pipes, its signals, and its end, which is the end of everything it started.
// It does not know records, nor the pipe to the worker.

import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { groupExists, groupSettles, signalGroup } from './group.js';
import type { ChildExit } from './process.js';
import { Relay } from './relay.js';
import type { TreeEnder } from './tree-ender.js';
import type { TreeRoot } from './tree.js';

/** Pipes that nobody holds are at their end at once; after so long somebody does, and the process table is looked at. */
const PIPES_CLOSE_MS = 20;

export type PipedProcess = ChildProcessByStdio<Writable | null, Readable, Readable>;

export interface RunningChildContext {
  process: PipedProcess;
  root: TreeRoot;
  stopSignal: NodeJS.Signals;
  ender: TreeEnder;
  stdout: (chunk: Buffer) => void;
  stderr: (chunk: Buffer) => void;
}

export class RunningChild {
  readonly #process: PipedProcess;
  readonly #root: TreeRoot;
  readonly #stopSignal: NodeJS.Signals;
  readonly #ender: TreeEnder;
  readonly #relays: { stdout: Relay; stderr: Relay };
  /** it was asked to end: then nothing of the whole tree may be left, inside its group or not */
  #asked = false;
  #killing: Promise<number> | undefined;
  /** resolves after the last byte of output was sent, when nothing of the tree is left */
  readonly exited: Promise<ChildExit>;

  constructor({ process, root, stopSignal, ender, stdout, stderr }: RunningChildContext) {
    this.#process = process;
    this.#root = root;
    this.#stopSignal = stopSignal;
    this.#ender = ender;
    this.#relays = { stdout: new Relay(process.stdout, stdout), stderr: new Relay(process.stderr, stderr) };
    // a child may end without reading what it is given: EPIPE is its right
    process.stdin?.on('error', () => undefined);
    this.exited = new Promise<Omit<ChildExit, 'leftovers'>>((resolve) => {
      process.once('exit', (code, signal) => resolve({ code, signal }));
    }).then((exit) => this.#finish(exit));
  }

  write(bytes: Buffer): void {
    this.#process.stdin?.write(bytes);
  }

  closeStdin(): void {
    this.#process.stdin?.end();
  }

  credit(stream: 'stdout' | 'stderr', bytes: number): void {
    this.#relays[stream].credit(bytes);
  }

  hold(held: boolean): void {
    this.#relays.stdout.hold(held);
    this.#relays.stderr.hold(held);
  }

  /** Nobody reads its output any more. */
  discard(): void {
    this.#relays.stdout.discard();
    this.#relays.stderr.discard();
  }

  stop(): void {
    this.#asked = true;
    if (this.#root.ownsGroup) signalGroup(this.#root.pid, this.#stopSignal);
  }

  kill(): Promise<number> {
    this.#asked = true;
    this.#killing ??= this.#ender.end(this.#root);
    return this.#killing;
  }

  async #finish(exit: Omit<ChildExit, 'leftovers'>): Promise<ChildExit> {
    const leftovers = await this.#endLeftovers();
    // the group is empty: its number may be given to others from here on
    this.#root.ownsGroup = false;
    await Promise.all([this.#relays.stdout.finish(), this.#relays.stderr.finish()]);
    // killed while the pipes were being emptied
    await this.#killing;
    return { ...exit, leftovers };
  }

  /** @returns how many processes outlived the child by themselves; those that a kill ended together with it do not count */
  async #endLeftovers(): Promise<number> {
    if (this.#killing) return this.#killing.then(() => 0);
    if (!this.#asked && (await this.#leftNothing())) return 0;
    await groupSettles(this.#root.pid);
    return this.#ender.end({ ...this.#root, scope: this.#asked ? 'tree' : 'group' });
  }

  async #leftNothing(): Promise<boolean> {
    if (groupExists(this.#root.pid)) return false;
    let timer: NodeJS.Timeout | undefined;
    const held = new Promise<false>((resolve) => (timer = setTimeout(resolve, PIPES_CLOSE_MS, false)));
    const closed = Promise.all([this.#relays.stdout.closed, this.#relays.stderr.closed]).then(() => true);
    return Promise.race([closed, held]).finally(() => clearTimeout(timer));
  }
}

// The guard's end of the pipe to its worker: writes frames, and holds all children back when the worker does not read at all.
// (A reader that is slow with one child is that child's relay's concern.)

import type { Writable } from 'node:stream';
import { frameHeader, type ToWorker } from './frames.js';

/** Frames that wait for a worker which does not read (its event loop is busy): above this no child is read either, until they are out. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

export class GuardChannel {
  readonly #out: Writable;
  readonly #hold: (held: boolean) => void;
  #open = true;
  #holding = false;

  /** @param hold told when no child may send any more output, and when all may again */
  constructor(out: Writable, hold: (held: boolean) => void) {
    this.#out = out;
    this.#hold = hold;
    out.on('drain', () => this.#setHolding(false));
    // EPIPE: the worker is gone. Its end of the other direction says so too, and what follows is decided there.
    out.on('error', () => (this.#open = false));
  }

  send(type: ToWorker, id: number, payload: Buffer): void {
    if (!this.#open) return;
    // one system call for header and payload
    this.#out.cork();
    this.#out.write(frameHeader(type, id, payload.length));
    this.#out.write(payload);
    process.nextTick(() => this.#out.uncork());
    if (this.#out.writableLength > MAX_WAITING_BYTES) this.#setHolding(true);
  }

  /** Nobody reads any more. */
  close(): void {
    this.#open = false;
  }

  #setHolding(holding: boolean): void {
    if (holding === this.#holding) return;
    this.#holding = holding;
    this.#hold(holding);
  }
}

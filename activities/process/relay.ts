// Carries one output stream of one child to the worker, no further ahead than the worker's reader allows.
// Runs in the guard; it knows bytes, not lines.

import type { Readable } from 'node:stream';

/**
 * Output on its way that the reader is not through with yet. One MiB keeps a local socket busy, and 200 floods cannot fill a
 * guard's memory with more than 400 MiB.
 */
export const WINDOW_BYTES = 1024 * 1024;
/** After the exit, with the pipe held open by a process that left the group: so long without a byte ends what the child wrote. */
const QUIET_MS = 250;
/** … and so much is more than any pipe held when the child exited: what comes after is the other process's own. */
const MAX_AFTER_EXIT_BYTES = 1024 * 1024;

export class Relay {
  readonly #stream: Readable;
  readonly #send: (chunk: Buffer) => void;
  #ahead = 0;
  #held = false;
  #discarding = false;
  #afterExit: { bytes: number; quiet: NodeJS.Timeout } | undefined;
  /** resolves when everything that was written before the end has been sent */
  readonly closed: Promise<void>;

  constructor(stream: Readable, send: (chunk: Buffer) => void) {
    this.#stream = stream;
    this.#send = send;
    this.closed = new Promise((resolve) => stream.once('close', resolve));
    stream.on('data', (chunk: Buffer) => this.#relay(chunk));
    // a broken pipe ends the stream, and `close` follows: nothing is lost that could still be read
    stream.on('error', () => undefined);
  }

  /** The reader is through with so many bytes. */
  credit(bytes: number): void {
    this.#ahead -= bytes;
    this.#flow();
  }

  /** The worker as a whole does not read, whatever this reader may be owed. */
  hold(held: boolean): void {
    this.#held = held;
    this.#flow();
  }

  /** Nobody reads any more: the child must not hang on a full pipe while it ends. */
  discard(): void {
    this.#discarding = true;
    this.#flow();
  }

  /** The child has exited: the stream ends by itself, or, held open by another process, after what the child wrote. */
  async finish(): Promise<void> {
    if (!this.#stream.closed) this.#afterExit = { bytes: 0, quiet: setTimeout(() => this.#whenQuiet(), QUIET_MS) };
    await this.closed;
    clearTimeout(this.#afterExit?.quiet);
  }

  #relay(chunk: Buffer): void {
    if (this.#discarding) return;
    this.#send(chunk);
    this.#ahead += chunk.length;
    this.#flow();
    if (this.#afterExit === undefined) return;
    this.#afterExit.quiet.refresh();
    this.#afterExit.bytes += chunk.length;
    if (this.#afterExit.bytes > MAX_AFTER_EXIT_BYTES) this.#stream.destroy();
  }

  #flow(): void {
    if (this.#discarding || (!this.#held && this.#ahead < WINDOW_BYTES)) this.#stream.resume();
    else this.#stream.pause();
  }

  #whenQuiet(): void {
    // held back by its reader is not quiet
    if (this.#stream.isPaused()) this.#afterExit?.quiet.refresh();
    else this.#stream.destroy();
  }
}

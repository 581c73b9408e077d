// The worker's side of one child: hands its output to the handlers and its wishes to the guard.
// It does not know how a guard is started, nor what the output means.

import { creditPayload, TO_GUARD, type ToGuard } from './frames.js';
import type { Child, ChildExit, ChildHandlers, SpawnSpec } from './process.js';

/** Read bytes are told to the guard in such steps: a quarter of its window, so that a flood never waits for the news. */
const CREDIT_STEP_BYTES = 256 * 1024;
/** Text for stdin goes in pieces, so that a long one does not hold up frames of other children. */
const STDIN_PIECE_BYTES = 256 * 1024;

export interface ClientChildContext {
  spec: SpawnSpec;
  pid: number;
  handlers: ChildHandlers;
  send: (type: ToGuard, payload?: Buffer) => void;
  log: (line: string) => void;
}

export class ClientChild implements Child {
  readonly #context: ClientChildContext;
  readonly pid: number;
  readonly exited: Promise<ChildExit>;
  /** it has said something that its next attempt may need */
  noted = false;
  #ended = false;
  #settle: { exit: (exit: ChildExit) => void; fail: (error: Error) => void } | undefined;
  readonly #read = { stdout: 0, stderr: 0 };

  constructor(context: ClientChildContext) {
    this.#context = context;
    this.pid = context.pid;
    this.exited = new Promise((exit, fail) => (this.#settle = { exit, fail }));
    // whoever waits for it hears the rejection; nobody waiting must not end the worker
    this.exited.catch(() => undefined);
  }

  write(text: string): void {
    for (const piece of stdinPieces(text)) this.#send(TO_GUARD.stdin, piece);
  }

  closeStdin(): void {
    this.#send(TO_GUARD.stdinEnd);
  }

  stop(): void {
    this.#send(TO_GUARD.stop);
  }

  kill(): void {
    this.#send(TO_GUARD.kill);
  }

  note(progress: { session?: string; spoke?: boolean }): void {
    this.noted = true;
    this.#send(TO_GUARD.note, Buffer.from(JSON.stringify(progress)));
  }

  /** Output has come. */
  deliver(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    const through = (): void => this.#through(stream, chunk.length);
    const failed = (error: unknown): void => {
      this.#context.log(`${this.#context.spec.key}: the handler of ${stream} failed: ${String((error as Error)?.stack ?? error)}`);
      through();
    };
    try {
      const reading = this.#context.handlers[stream](chunk);
      if (reading === undefined) through();
      else reading.then(through, failed);
    } catch (error) {
      failed(error);
    }
  }

  end(exit: ChildExit): void {
    this.#ended = true;
    this.#settle?.exit(exit);
  }

  fail(error: Error): void {
    this.#ended = true;
    this.#settle?.fail(error);
  }

  #through(stream: 'stdout' | 'stderr', bytes: number): void {
    this.#read[stream] += bytes;
    if (this.#read[stream] < CREDIT_STEP_BYTES) return;
    this.#send(stream === 'stdout' ? TO_GUARD.stdoutCredit : TO_GUARD.stderrCredit, creditPayload(this.#read[stream]));
    this.#read[stream] = 0;
  }

  #send(type: ToGuard, payload?: Buffer): void {
    if (!this.#ended) this.#context.send(type, payload);
  }
}

/** The bytes of a text, in pieces that may cut a character: the pipe joins them again. */
export function stdinPieces(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += STDIN_PIECE_BYTES) pieces.push(bytes.subarray(at, at + STDIN_PIECE_BYTES));
  return pieces;
}

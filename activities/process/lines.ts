// Cuts a stream of bytes into lines: UTF-8 across chunk borders, split on `\n` only, without ANSI sequences (agents.md, Processes).
// It does not know what the lines mean. Time is linear in the bytes; memory is about twice the longest line.

import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';

/** A tool result can hold a whole file or picture (O-09); what is beyond is cut and counted, never a reason to stop reading. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;
/** Small pieces are joined in blocks, so that a long line which comes byte by byte does not become an array of bytes. */
const BLOCK_PIECES = 1024;

export interface Line {
  /** without its newline, a carriage return before it, and ANSI sequences */
  line: string;
  /** bytes beyond the limit that were not kept; 0 for nearly every line */
  cutBytes: number;
}

export interface LineSplitterOptions {
  onLine: (line: Line) => void;
  maxLineBytes?: number;
}

export class LineSplitter {
  readonly #onLine: (line: Line) => void;
  readonly #maxBytes: number;
  #decoder = new StringDecoder('utf8');
  /** the line that has not ended yet: joined blocks, and the pieces after them */
  #blocks: string[] = [];
  #pieces: string[] = [];
  #bytes = 0;
  #cutBytes = 0;

  constructor({ onLine, maxLineBytes = MAX_LINE_BYTES }: LineSplitterOptions) {
    this.#onLine = onLine;
    this.#maxBytes = maxLineBytes;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      if (this.#bytes === 0 && to - from <= this.#maxBytes) this.#emit(chunk.toString('utf8', from, to), 0);
      else this.#endLine(chunk.subarray(from, to));
      from = to + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The stream is over: a last line without newline is a line. */
  end(): void {
    if (this.#bytes > 0) this.#endLine(Buffer.alloc(0));
  }

  #keep(part: Buffer): void {
    const room = Math.max(0, this.#maxBytes - this.#bytes);
    this.#bytes += part.length;
    this.#cutBytes += Math.max(0, part.length - room);
    if (room > 0) this.#pieces.push(this.#decoder.write(part.length > room ? part.subarray(0, room) : part));
    if (this.#pieces.length === BLOCK_PIECES) this.#blocks.push(this.#pieces.splice(0).join(''));
  }

  #endLine(last: Buffer): void {
    if (last.length > 0) this.#keep(last);
    // a character that the cut went through is left out; one that the stream itself broke off shows as U+FFFD
    if (this.#cutBytes === 0) this.#pieces.push(this.#decoder.end());
    const line = [...this.#blocks, ...this.#pieces].join('');
    const cutBytes = this.#cutBytes;
    this.#decoder = new StringDecoder('utf8');
    this.#blocks = [];
    this.#pieces = [];
    this.#bytes = 0;
    this.#cutBytes = 0;
    this.#emit(line, cutBytes);
  }

  #emit(raw: string, cutBytes: number): void {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    // both are looked for first: stripping copies, and nearly no line has any
    const coloured = line.includes('\u001B') || line.includes('\u009B');
    this.#onLine({ line: coloured ? stripVTControlCharacters(line) : line, cutBytes });
  }
}

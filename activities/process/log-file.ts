// Writes the log of one attempt: whole lines, secrets masked, bounded in size and in memory.
// A log that cannot be written never ends the work that it tells of: the failure is kept and said at the end.

import { mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { masker, type Masker } from './mask.js';

/** Twice this is the most that one attempt keeps on disk; a long agent session writes a few MiB. */
const MAX_LOG_BYTES = 32 * 1024 * 1024;
/** Lines in memory that the disk has not taken yet; beyond, the writer is asked to wait. */
const MAX_WAITING_BYTES = 1024 * 1024;
const NOTHING_TO_WAIT_FOR = Promise.resolve();

export interface LogFileOptions {
  /** absolute; folders are made */
  path: string;
  secrets?: readonly string[];
  /** size at which the file becomes `<path>.1` (an older `.1` goes) and a new one begins */
  maxBytes?: number;
}

/** What became of a log. */
export interface LogSummary {
  /** bytes that were rotated away or could not be written */
  droppedBytes: number;
  failure?: { code: string; message: string };
}

export class LogFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #mask: Masker;
  #file: FileHandle | undefined;
  #size = 0;
  #rotatedBytes = 0;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #flushing: Promise<void> | undefined;
  #summary: LogSummary = { droppedBytes: 0 };

  constructor({ path, secrets = [], maxBytes = MAX_LOG_BYTES }: LogFileOptions) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#mask = masker(secrets);
  }

  /**
   * Adds a line; it need not have reached the disk when this returns.
   * @returns settles when more may come: at once, unless the disk is behind. Never rejects
   */
  line(text: string): Promise<void> {
    const line = `${this.#fit(this.#mask(text))}\n`;
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#waitingBytes > MAX_WAITING_BYTES ? this.#flushing : NOTHING_TO_WAIT_FOR;
  }

  /** Writes what waits and closes the file. */
  async close(): Promise<LogSummary> {
    while (this.#flushing) await this.#flushing;
    await this.#file?.close().catch((error: NodeJS.ErrnoException) => this.#fail(error, 0));
    this.#file = undefined;
    return this.#summary;
  }

  /** A single line is at most half a file, so that one rotation always makes room for it. */
  #fit(text: string): string {
    const most = Math.floor(this.#maxBytes / 2);
    return text.length <= most ? text : `${text.slice(0, most)}… [cut, ${text.length} characters]`;
  }

  async #flush(): Promise<void> {
    // the lines of one turn of the loop go in one write
    await NOTHING_TO_WAIT_FOR;
    while (this.#waiting.length > 0) {
      const bytes = this.#nextBatch();
      if (this.#summary.failure) this.#summary.droppedBytes += bytes.length;
      else await this.#write(bytes).catch((error: NodeJS.ErrnoException) => this.#fail(error, bytes.length));
    }
  }

  /** As many waiting lines as the file has room for; at least one. */
  #nextBatch(): Buffer {
    let bytes = 0;
    const most = this.#maxBytes - (this.#size < this.#maxBytes ? this.#size : 0);
    const end = this.#waiting.findIndex((line) => (bytes += Buffer.byteLength(line)) > most);
    const lines = this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end));
    for (const line of lines) this.#waitingBytes -= line.length;
    return Buffer.from(lines.join(''));
  }

  async #write(bytes: Buffer): Promise<void> {
    if (!this.#file) await this.#open();
    else if (this.#size > 0 && this.#size + bytes.length > this.#maxBytes) await this.#rotate();
    await this.#file?.appendFile(bytes);
    this.#size += bytes.length;
  }

  async #open(): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true });
    // appended: should an attempt of this number have been here before, its lines are part of the story
    this.#file = await open(this.#path, 'a', 0o600);
    this.#size = (await this.#file.stat()).size;
  }

  async #rotate(): Promise<void> {
    await this.#file?.close();
    await rename(this.#path, `${this.#path}.1`);
    this.#summary.droppedBytes += this.#rotatedBytes;
    this.#rotatedBytes = this.#size;
    await this.#open();
  }

  #fail(error: NodeJS.ErrnoException, bytes: number): void {
    this.#summary.failure ??= { code: error.code ?? 'UNKNOWN', message: `${this.#path}: ${error.message}` };
    this.#summary.droppedBytes += bytes;
  }
}

// Where a server's output goes: a file that others can read, or the last lines in memory. Knows nothing of what is said.

import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';

export interface ServerLog {
  /** for execa: both stdout and stderr. A file's own number, so that no pipe breaks when this process ends; execa's types stop at 9 */
  stdio: 'pipe' | 9;
  /** called once with the started process's streams */
  attach(streams: (Readable | null | undefined)[]): void;
  /** its last lines, for the message of a failure */
  tail(): string;
}

/** What a failure shows: its cause is in the last few lines, and a terminal holds no more. */
const TAIL_LINES = 20;
const TAIL_CHARS = 4_000;

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n').slice(-TAIL_CHARS);

/** Appends to a file by the server's own handle, so that it goes on when we are gone. */
function toFile(file: string): ServerLog {
  const fd = openSync(file, 'a', 0o600);
  const from = statSync(file).size;
  return {
    stdio: fd as 9,
    attach: () => closeSync(fd),
    tail: () => lastLines(readFileSync(file).subarray(from).toString()),
  };
}

function inMemory(): ServerLog {
  let text = '';
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-TAIL_CHARS);
  };
  return {
    stdio: 'pipe',
    attach: (streams) => streams.forEach((stream) => stream?.on('data', keep)),
    tail: () => lastLines(text),
  };
}

export function serverLog(file: string | undefined): ServerLog {
  return file === undefined ? inMemory() : toFile(file);
}

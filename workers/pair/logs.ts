// The pair's two logs, `dev.log` (its own words) and `server.log` (the server's): kept small, and read from where one began.

import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A week of a busy server's warnings; with the half that is kept beside it, never more than twice this. */
const MAX_BYTES = 5_000_000;

/** What a person is shown of a start that failed. */
const TAIL_LINES = 15;

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/**
 * Puts a log that has grown large aside as `<file>.1`, and makes its folder. Call before it is opened for appending.
 * @returns the size it has now: where the next writer begins
 */
export async function rotateLog(file: string): Promise<number> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const size = await sizeOf(file);
  if (size <= MAX_BYTES) return size;
  await rename(file, `${file}.1`);
  return 0;
}

/** @returns the last lines that were written after byte `from` */
export async function tailOf(file: string, from: number): Promise<string> {
  const size = await sizeOf(file);
  if (size <= from) return '';
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size - from), position: from });
    return buffer.subarray(0, bytesRead).toString().trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  } finally {
    await handle.close();
  }
}

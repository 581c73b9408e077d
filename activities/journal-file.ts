// The file behind a run's journal: appends batches, mends a torn end, rotates (run.md, Events). It does not know what the events say.
// The truth is Temporal's history: what a crash tears off here comes again with the next batch, told by its `seq`.

import { access, mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Envelope } from '../model/event.js';
import { codeOf } from './failures.js';

/** Readers hold a whole file in memory; 8 MiB are about 25,000 events (run.md, Events). */
export const MAX_JOURNAL_BYTES = 8 * 1024 * 1024;
/** An envelope has at most 4 KiB of text in a payload value, so that nearly always the first look back finds the last one. */
const TAIL_BYTES = 64 * 1024;

const NEWLINE = 0x0a;

export interface Appended {
  /** the last event that is now in the journal; 0 when it has none */
  seq: number;
  /** a torn last line was set apart: one more unreadable record for every reader */
  torn: boolean;
}

/**
 * Appends what is not there yet and answers when it is on the disk.
 * @throws the system's error when the disk refuses; the file then ends where it ended before, as far as the disk allows
 */
export async function appendEvents(path: string, events: readonly Envelope[], maxBytes = MAX_JOURNAL_BYTES): Promise<Appended> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a+', 0o600);
  try {
    const end = await readEnd(file);
    const last = end.seq ?? (await lastOf(`${path}.1`));
    const fresh = events.filter((event) => event.seq > last);
    const text = fresh.map((event) => `${JSON.stringify(event)}\n`).join('');
    if (text === '') return { seq: last, torn: end.torn };
    const seq = fresh.at(-1)?.seq ?? last;
    if (end.size > 0 && end.size + Buffer.byteLength(text) > maxBytes) {
      if (end.torn) await append(file, '\n', end.size);
      await rotate(path);
      await appendTo(path, text);
    } else {
      // a half line gets its newline first: it stays one unreadable record, and spoils no other (case O-38)
      await append(file, end.torn ? `\n${text}` : text, end.size);
    }
    return { seq, torn: end.torn };
  } finally {
    await file.close();
  }
}

/** The number of the last readable event of a file; 0 when there is no file or none in it. */
async function lastOf(path: string): Promise<number> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
  try {
    return (await readEnd(file)).seq ?? 0;
  } finally {
    await file.close();
  }
}

interface End {
  size: number;
  torn: boolean;
  /** undefined when no line of the file can be read */
  seq: number | undefined;
}

/** Looks back from the end until a whole, readable line is found. */
async function readEnd(file: FileHandle): Promise<End> {
  const { size } = await file.stat();
  let tail: Buffer = Buffer.alloc(0);
  for (let from = size; from > 0;) {
    const length = Math.min(TAIL_BYTES, from);
    from -= length;
    tail = Buffer.concat([await readAt(file, from, length), tail]);
    const seq = lastSeq(tail, from === 0);
    if (seq !== undefined) return { size, torn: tail.at(-1) !== NEWLINE, seq };
  }
  return { size, torn: size > 0 && tail.at(-1) !== NEWLINE, seq: undefined };
}

async function readAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

/** @param whole the bytes begin with the file, so that their first line is no rest of a longer one */
function lastSeq(bytes: Buffer, whole: boolean): number | undefined {
  // what follows the last newline is torn, even if it can be read: its newline was to be written with it
  const lines = bytes
    .subarray(0, bytes.lastIndexOf(NEWLINE) + 1)
    .toString('utf8')
    .split('\n');
  for (let i = lines.length - 1; i >= (whole ? 0 : 1); i--) {
    const seq = seqOf(lines[i] ?? '');
    if (seq !== undefined) return seq;
  }
  return undefined;
}

function seqOf(line: string): number | undefined {
  if (line === '') return undefined;
  try {
    const { seq } = JSON.parse(line) as { seq?: unknown };
    return typeof seq === 'number' ? seq : undefined;
  } catch {
    // a damaged line: readers count it, the appender looks further back
    return undefined;
  }
}

/** Older halves move up one number, so that a long run loses none of its events. */
async function rotate(path: string): Promise<void> {
  let last = 1;
  while (await exists(`${path}.${last}`)) last += 1;
  for (let n = last; n > 1; n--) await rename(`${path}.${n - 1}`, `${path}.${n}`);
  await rename(path, `${path}.1`);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function appendTo(path: string, text: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    await append(file, text, 0);
  } finally {
    await file.close();
  }
}

/** One write, then fsync. After a failure the file is cut back to `size`, so that half a batch is no torn line. */
async function append(file: FileHandle, text: string, size: number): Promise<void> {
  try {
    await file.appendFile(text);
    await file.sync();
  } catch (error) {
    // a disk that refuses this too leaves a torn end, which the next append mends
    await file.truncate(size).catch(() => undefined);
    throw error;
  }
}

// The local records of dispatches, `dispatches/<run>/<id>.json` in the state folder: what survives a worker and its guard.
// Synchronous, because the guard writes one before it says that a child has started. node: built-ins only: the guard loads it.
// Not fsynced: they must survive processes, not a power cut, after which no tree is alive either.

import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LocalRecord } from './process.js';

/** Ending of the file that says that a child is about to be started, and under which marker. */
export const CLAIM_SUFFIX = '.claim';

/** The folder of all records below the state folder (model/paths.ts `statePaths`). */
export function recordsFolder(stateDir: string): string {
  return join(stateDir, 'dispatches');
}

/** Path of a record. Ids hold `#` and `@`, which files may have; anything else is encoded. */
export function recordPath(stateDir: string, run: string, dispatch: string): string {
  return join(recordsFolder(stateDir), safeName(run), `${safeName(dispatch)}.json`);
}

function safeName(id: string): string {
  const name = encodeURIComponent(id).replaceAll('%23', '#').replaceAll('%40', '@');
  // the two names that are no names; isId refuses them long before
  if (name === '' || name === '.' || name === '..') throw new Error(`"${id}" cannot name a local record`);
  return name;
}

/** @returns undefined when there is none. @throws on a file that cannot be read or is no record, naming it */
export function readRecord(path: string): LocalRecord | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return parseRecord(text, path);
}

/** @throws when the text is no record; says which file to look at */
export function parseRecord(text: string, path: string): LocalRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // the message below says more than the parser's
  }
  if (!isRecord(value)) throw new Error(`${path} is no local record of a dispatch; remove it if its processes are gone`);
  return value;
}

/** Replaces the record in one step: a reader sees the old one or the new one, never a part. */
export function writeRecord(path: string, record: LocalRecord): void {
  const draft = `${path}.${process.pid}.tmp`;
  inFolder(path, () => writeFileSync(draft, JSON.stringify(record), { mode: 0o600 }));
  renameSync(draft, path);
}

/**
 * A record of a child that is about to be started, beside the record that may be there from before. One file, opened once: this is
 * on the way of every program.
 */
export class RecordClaim {
  readonly #path: string;
  readonly #file: number;

  /** @throws when the disk refuses */
  constructor(path: string, record: LocalRecord) {
    this.#path = path;
    this.#file = inFolder(path, () => openSync(`${path}${CLAIM_SUFFIX}`, 'w', 0o600));
    try {
      this.#write(record);
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  /** The child has started: its record takes the place of the one before. */
  complete(record: LocalRecord): void {
    this.#write(record);
    renameSync(`${this.#path}${CLAIM_SUFFIX}`, this.#path);
    closeSync(this.#file);
  }

  drop(): void {
    closeSync(this.#file);
    removeClaim(this.#path);
  }

  /** In one write from the start of the file; a completed record is never shorter than the claim that it overwrites. */
  #write(record: LocalRecord): void {
    writeSync(this.#file, JSON.stringify(record), 0);
  }
}

/** Makes the folder of the run where it is missing, which only its first record on this host meets. */
function inFolder<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return write();
  }
}

export function removeClaim(path: string): void {
  rmSync(`${path}${CLAIM_SUFFIX}`, { force: true });
}

/** Folders of runs stay: removing one while another guard writes into it would cost that guard its record. The sweep takes empty ones. */
export function removeRecord(path: string): void {
  rmSync(path, { force: true });
}

/** Strict by hand: the guard carries no library. */
function isRecord(value: unknown): value is LocalRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  const owner = record.owner as Record<string, unknown> | null | undefined;
  const texts = [record.run, record.dispatch, record.start, record.startedAt, owner?.start];
  const numbers = [record.attempt, record.pid, owner?.pid];
  const optional = [record.session, record.ended, record.marker];
  return (
    texts.every((text) => typeof text === 'string') &&
    numbers.every((number) => Number.isSafeInteger(number)) &&
    optional.every((text) => text === undefined || typeof text === 'string') &&
    typeof record.spoke === 'boolean'
  );
}

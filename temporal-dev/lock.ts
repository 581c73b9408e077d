// One holder at a time, over processes, without a lock of the system: a folder of numbered files, of which the highest counts.
// It names its owner by pid and start time, so a dead owner's lock is free. Knows nothing of what it guards.

import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identify, isRunning, type ProcessIdentity } from './process-identity.js';

export interface LockOwner extends ProcessIdentity {
  /** what the owner does with it, for people and for rules such as "takes over from an embedded one" */
  label: string;
}

export type LockAttempt = { taken: true; release(): Promise<void> } | { taken: false; owner: LockOwner };

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

async function highest(dir: string): Promise<number> {
  const names = await readdir(dir);
  return Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const { pid, start, label } = JSON.parse(text) as Partial<LockOwner>;
    return typeof pid === 'number' && typeof start === 'string' && typeof label === 'string' ? { pid, start, label } : undefined;
  } catch {
    return undefined; // released (empty), or cut by a crash of the whole machine: nobody has it either way
  }
}

/** The file that counts, and its owner if one was ever written and is still running. */
async function current(dir: string): Promise<{ n: number; owner?: LockOwner }> {
  for (;;) {
    const n = await highest(dir);
    if (n === 0) return { n };
    const text = await readFile(join(dir, String(n)), 'utf8').catch((error: unknown) => codeOf(error));
    if (text === 'ENOENT') continue; // a newer owner has just tidied it away: look again
    const owner = parseOwner(text ?? '');
    return owner && (await isRunning(owner)) ? { n, owner } : { n };
  }
}

/** Creates file `n` complete with its owner, or not at all: `link` fails when it exists, and nobody sees half a file. */
async function claim(dir: string, n: number, owner: LockOwner): Promise<boolean> {
  const draft = join(dir, `.${randomUUID()}`);
  await writeFile(draft, JSON.stringify(owner), { mode: 0o600 });
  try {
    await link(draft, join(dir, String(n)));
    return true;
  } catch (error) {
    // EEXIST: another was first. ENOENT: the new owner tidied our draft away, so it was first too.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function tidy(dir: string, keep: number): Promise<void> {
  for (const name of await readdir(dir)) if (name !== String(keep)) await rm(join(dir, name), { force: true });
}

/** Emptied, never removed: a number that was used once must not be used again (see `tryLock`). */
async function release(dir: string, n: number): Promise<void> {
  const draft = join(dir, `.${randomUUID()}`);
  await writeFile(draft, '');
  await rename(draft, join(dir, String(n)));
}

/**
 * Takes the lock at the folder `dir` if nobody alive holds it.
 * A free lock with highest file n is taken by creating n + 1, which only one can. A file goes only when a higher one is there, so
 * whoever creates a number that was tidied away in between sees the higher one and steps back.
 * @returns the way to release it, or its owner
 */
export async function tryLock(dir: string, label: string): Promise<LockAttempt> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const self = await identify(process.pid);
  if (!self) throw new Error(`the start time of this process (${process.pid}) cannot be read, so it cannot hold ${dir}`);
  for (;;) {
    const { n, owner } = await current(dir);
    if (owner) return { taken: false, owner };
    const mine = n + 1;
    if (!(await claim(dir, mine, { ...self, label }))) continue;
    if ((await highest(dir)) === mine) {
      await tidy(dir, mine);
      return { taken: true, release: () => release(dir, mine) };
    }
    await rm(join(dir, String(mine)), { force: true });
  }
}

/** @returns who holds the lock at `dir` now, if anybody alive does */
export async function lockOwner(dir: string): Promise<LockOwner | undefined> {
  try {
    return (await current(dir)).owner;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined; // never taken
    throw error;
  }
}

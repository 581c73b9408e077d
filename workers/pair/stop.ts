// Ends the user's pair, whatever is left of it, and its database when that is wished.

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { statePaths } from '../../model/paths.js';
import { endOrphans, removeDevInfo } from './dev-info.js';
import { seize, type Ended } from './seize.js';

export interface StopOptions {
  /** the user's state folder, absolute */
  stateDir: string;
  /** remove the database too */
  purge?: boolean | undefined;
}

export interface StopReport {
  /** the owners of the pair that were ended; `killed` when asking did not help within 75 s */
  ended: { pid: number; mode: string; how: 'ended' | 'killed' }[];
  /** servers that outlived their owner, ended too */
  orphans: number[];
  /** files removed, absolute */
  purged: string[];
}

async function purge(stateDir: string): Promise<string[]> {
  const { devDatabase } = statePaths(stateDir);
  // SQLite keeps its log and index beside the database
  const files = [devDatabase, `${devDatabase}-wal`, `${devDatabase}-shm`].filter((file) => existsSync(file));
  await Promise.all(files.map((file) => rm(file)));
  return files;
}

/**
 * Ends the pair, in the background or in the foreground, and a server that a killed one left (people.md, `sluice down`).
 * Under the lock, so that none starts in between. Takes up to 75 s while agents hand over.
 * @returns what was done; nothing to do is no fault
 */
export async function stopPair({ stateDir, purge: purging }: StopOptions): Promise<StopReport> {
  const { dev, devLock } = statePaths(stateDir);
  if (!existsSync(dev)) return { ended: [], orphans: [], purged: [] };
  const lock = await seize(devLock, { label: 'down', mayEnd: () => true });
  if ('held' in lock) throw new Error(`process ${lock.held.pid} does not give up ${devLock}`);
  try {
    const orphans = await endOrphans(stateDir);
    await removeDevInfo(stateDir);
    const purged = purging ? await purge(stateDir) : [];
    const ended = lock.ended.map(({ pid, label, how }: Ended) => ({ pid, mode: label, how }));
    return { ended, orphans, purged };
  } finally {
    await lock.release();
  }
}

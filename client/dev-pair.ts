// The dev pair of this user as its files tell it: where it serves, and whether somebody is at it. Only reads; workers/pair writes.

import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { stateDir, statePaths, type PathEnv } from '../model/paths.js';

/** Its address, as it wrote it; undefined when there is none, or only half a file. */
export function devAddress(where: PathEnv): string | undefined {
  try {
    const info = JSON.parse(readFileSync(statePaths(stateDir(where)).devInfo, 'utf8')) as { address?: unknown };
    return typeof info.address === 'string' && info.address !== '' ? info.address : undefined;
  } catch {
    // No file, or half a file: as good as no dev pair; whoever needs one starts it under the lock.
    return undefined;
  }
}

/** True when the process that holds the pair's lock is alive: it serves, or is about to. A wrong yes costs only a wait. */
export async function isDevPairAlive(where: PathEnv): Promise<boolean> {
  const dir = statePaths(stateDir(where)).devLock;
  try {
    // of the numbered files in the lock's folder the highest counts
    const last = (await readdir(dir)).filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a))[0];
    const owner = JSON.parse(await readFile(`${dir}/${last}`, 'utf8')) as { pid?: unknown };
    return typeof owner.pid === 'number' && process.kill(owner.pid, 0);
  } catch {
    // never taken, released (empty), or its owner is gone
    return false;
  }
}

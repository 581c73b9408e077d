// The dev pair of this user as its files tell it: where it serves, and whether somebody is at it. Only reads; workers/pair writes.

import { readdirSync, readFileSync } from 'node:fs';
import { stateDir, statePaths, type PathEnv } from '../model/paths.js';

/**
 * `serving`: at this address. `starting`: somebody holds its lock, and there is no address yet. `gone`: it was killed, and its port
 * may be another's by now: its address is for messages only.
 */
export type DevPair = { state: 'serving'; address: string } | { state: 'starting' } | { state: 'gone'; address: string };

/** What the files say; undefined when there was none, or it was stopped in good order. A wrong `serving` costs only a failed connection. */
export function devPair(where: PathEnv): DevPair | undefined {
  const held = isDevPairAlive(where);
  const info = devInfo(where);
  if (info === undefined) return held ? { state: 'starting' } : undefined;
  // a server outlives a pair that was killed, and a pair starts a server that died again
  return held || isAlive(info.serverPid) ? { state: 'serving', address: info.address } : { state: 'gone', address: info.address };
}

/** True when the process that holds the pair's lock is alive: it serves, or is about to. */
export function isDevPairAlive(where: PathEnv): boolean {
  const dir = statePaths(stateDir(where)).devLock;
  try {
    // of the numbered files in the lock's folder the highest counts
    const last = readdirSync(dir)
      .filter((name) => /^\d+$/.test(name))
      .sort((a, b) => Number(b) - Number(a))[0];
    return isAlive((JSON.parse(readFileSync(`${dir}/${last}`, 'utf8')) as { pid?: unknown }).pid);
  } catch {
    // never taken, or released (empty)
    return false;
  }
}

function devInfo(where: PathEnv): { address: string; serverPid?: unknown } | undefined {
  try {
    const info = JSON.parse(readFileSync(statePaths(stateDir(where)).devInfo, 'utf8')) as { address?: unknown; serverPid?: unknown };
    return typeof info.address === 'string' && info.address !== '' ? { ...info, address: info.address } : undefined;
  } catch {
    // no file, or half a file: as good as no dev pair; whoever needs one starts it under the lock
    return undefined;
  }
}

// a process of another user is none of ours: the signal is refused
function isAlive(pid: unknown): boolean {
  try {
    return typeof pid === 'number' && process.kill(pid, 0);
  } catch {
    return false;
  }
}

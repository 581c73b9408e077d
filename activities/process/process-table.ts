// The system's process table, and the marker that a guard leaves in the environment of what it starts.
// Only reads; node: built-ins and siblings only, because the guard loads it.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { linuxEntry, parsePs, PS_ENV, type ProcessEntry } from './identity.js';

/**
 * Name of the variable by which processes are found that left their group, their session and their parent. Its value is unique to
 * one child of one guard.
 */
export const MARKER = 'SLUICE_DISPATCH_KEY';

/** Every process that can be seen. Linux: about 10 µs each. */
export function listProcesses(): ProcessEntry[] {
  if (process.platform !== 'linux') {
    // 100 bytes a process: room for many more than a system can have
    const options = { env: PS_ENV, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    return parsePs(execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,state=,lstart='], options));
  }
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (linuxEntry(Number(name)) ?? []) : []));
}

/**
 * The marker in a process's environment. Linux only: elsewhere descendants are found by their parents and groups alone.
 * Undefined also for processes of other users, whose environment cannot be read.
 */
export function markerOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return findMarker(readFileSync(`/proc/${pid}/environ`, 'latin1'));
  } catch {
    // EACCES: not ours; ENOENT or ESRCH: gone
    return undefined;
  }
}

/** @param environ variables parted by NUL, as the system keeps them */
export function findMarker(environ: string): string | undefined {
  const name = `${MARKER}=`;
  const at = environ.startsWith(name) ? 0 : environ.indexOf(`\0${name}`) + 1;
  if (at === 0 && !environ.startsWith(name)) return undefined;
  const end = environ.indexOf('\0', at);
  return environ.slice(at + name.length, end === -1 ? undefined : end);
}

// Who a pid is: its number together with its start time, so that a reused number is never taken for the process that had it.
// Only reads; node: built-ins only, because the guard loads it.

import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that can be told from a later one with the same number. */
export interface Identity {
  pid: number;
  start: string;
}

/** One line of the system's process table. */
export interface ProcessEntry extends Identity {
  parent: number;
  group: number;
  /** 0 where the system does not tell (macOS) */
  session: number;
  /** ended, only not yet collected by its parent */
  zombie: boolean;
}

/**
 * Start time of a process as the system tells it: on Linux clock ticks since boot with the boot's id (ticks alone repeat after a
 * reboot), on macOS the words of `ps`. Undefined when there is no such process; a zombie still has one.
 */
export function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxEntry(pid)?.start : psStart(pid);
}

/** True while the very process that had this number at that time is there, and has not ended. */
export function isSame(pid: number, start: string): boolean {
  if (process.platform !== 'linux') return start !== '' && psStart(pid) === start;
  const entry = linuxEntry(pid);
  return entry !== undefined && !entry.zombie && entry.start === start;
}

/** @returns undefined for a pid that is not there (any more) */
export function linuxEntry(pid: number): ProcessEntry | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'), bootId());
  } catch {
    // ENOENT or ESRCH: it ended, which is an answer and no fault
    return undefined;
  }
}

/** Reads one `/proc/<pid>/stat`. The name in parentheses may itself hold spaces and parentheses: fields count from the last one. */
export function parseStat(stat: string, boot: string): ProcessEntry {
  const [state = '', parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // `rest` begins at field 7; the start time is field 22
  const start = `${rest[15] ?? ''}@${boot}`;
  return {
    pid: Number.parseInt(stat, 10),
    start,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === 'Z' || state === 'X',
  };
}

/** Reads `ps -axo pid=,ppid=,pgid=,state=,lstart=` (macOS). */
export function parsePs(table: string): ProcessEntry[] {
  const lines = table.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/gm);
  return Array.from(lines, ([, pid, parent, group, state, start]) => ({
    pid: Number(pid),
    start: start ?? '',
    parent: Number(parent),
    group: Number(group),
    session: 0,
    zombie: (state ?? '').startsWith('Z'),
  }));
}

/** Environment for `ps`: its dates must not depend on the user's language. */
export const PS_ENV = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };

function psStart(pid: number): string | undefined {
  try {
    const options: ExecFileSyncOptionsWithStringEncoding = { env: PS_ENV, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], options).trim() || undefined;
  } catch {
    // ps exits 1 when there is no such process
    return undefined;
  }
}

let boot: string | undefined;
function bootId(): string {
  try {
    boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  } catch {
    // hidden in some sandboxes; ticks alone still tell processes of one boot apart
    boot = '';
  }
  return boot;
}

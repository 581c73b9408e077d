// Who a process is: its pid together with the time it started, so that a pid given to somebody else is never taken for it,
// or ended. Knows nothing of what the process does.

import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { poll } from './poll.js';

/** A process that can be told from a later one with the same pid. `start` is opaque: compare, never parse. */
export interface ProcessIdentity {
  pid: number;
  start: string;
}

/** Linux: field 22 of `stat`, counted from boot, so the boot is named too. Zombies hold no files and no ports: gone. */
async function startOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined); // no such process
  if (stat === undefined) return undefined;
  // the second field is the program's name in parentheses and may hold anything, so count from its end
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''); // hidden in some sandboxes
  return `${fields[19]}@${boot.slice(0, 8)}`;
}

/** macOS and the BSDs: the start as `ps` prints it, in one fixed locale so that two readers agree. */
async function startByPs(pid: number): Promise<string | undefined> {
  const { stdout, failed } = await execa('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    env: { LC_ALL: 'C', TZ: 'UTC' },
    reject: false,
  });
  const [state, ...start] = stdout.trim().split(/\s+/);
  return failed || !state || state.startsWith('Z') ? undefined : start.join(' ');
}

/** @returns when process `pid` started, or undefined when there is none (or only its zombie) */
export async function processStart(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
}

/** @returns the identity of a running process */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const start = await processStart(pid);
  return start === undefined ? undefined : { pid, start };
}

/** True while this very process runs. */
export async function isRunning({ pid, start }: ProcessIdentity): Promise<boolean> {
  return (await processStart(pid)) === start;
}

/** Sends a signal to this very process; a process that has just ended is no error. */
export async function signalProcess(who: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  if (!(await isRunning(who))) return;
  try {
    process.kill(who.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Asks a process to end (SIGTERM), and ends it (SIGKILL) when it has not after `graceMs`.
 * @returns what it took; `absent` when it did not run at all
 */
export async function endProcess(who: ProcessIdentity, graceMs: number): Promise<'absent' | 'ended' | 'killed'> {
  if (!(await isRunning(who))) return 'absent';
  await signalProcess(who, 'SIGTERM');
  const gone = async () => !(await isRunning(who));
  if (await poll(gone, { timeoutMs: graceMs })) return 'ended';
  await signalProcess(who, 'SIGKILL');
  // the kernel needs a moment to take a killed process away; five seconds only pass on a machine that is stuck
  if (!(await poll(gone, { timeoutMs: 5_000 }))) throw new Error(`process ${who.pid} is still there after SIGKILL`);
  return 'killed';
}

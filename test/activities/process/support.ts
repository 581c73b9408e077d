// What the tests of processes share: a scratch folder, a guard built for it, specs, and waiting for conditions.

import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcesses } from '../../../activities/process/guard-client.js';
import type { Child, ChildHandlers, Processes, SpawnFailure, SpawnSpec } from '../../../activities/process/process.js';
import { buildGuard, type BuiltProgram } from '../../support/programs/build.js';

export const PROGRAMS = fileURLToPath(new URL('../../support/programs', import.meta.url));

export interface Scratch {
  folder: string;
  stateDir: string;
  guard: BuiltProgram;
  log: string[];
  start(): Promise<Processes>;
  remove(): Promise<void>;
}

export async function scratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-process-'));
  const guard = await buildGuard();
  const stateDir = join(folder, 'state');
  const log: string[] = [];
  const started: Processes[] = [];
  return {
    folder,
    stateDir,
    guard,
    log,
    start: async () => {
      const processes = await startProcesses({ stateDir, guardPath: guard.path, log: (line) => log.push(line) });
      started.push(processes);
      return processes;
    },
    remove: async () => {
      await Promise.all(started.map((processes) => processes.close()));
      await guard.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let count = 0;
/** A spec with everything but the argv at its simplest; every one is a dispatch of its own. */
export function specOf(argv: string[], more: Partial<SpawnSpec> = {}): SpawnSpec {
  const dispatch = more.dispatch ?? `node#${++count}`;
  const run = more.run ?? 'run-test';
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  return {
    key: `${run}/${dispatch}`,
    run,
    dispatch,
    attempt: 1,
    argv,
    cwd: tmpdir(),
    env,
    stopSignal: 'SIGTERM',
    stdin: 'ignore',
    ...more,
  };
}

/** One of the programs in test/support/programs. */
export function programOf(name: string, args: string[], more: Partial<SpawnSpec> = {}): SpawnSpec {
  return specOf([process.execPath, join(PROGRAMS, name), ...args], more);
}

export interface Gathered extends ChildHandlers {
  out(): string;
  err(): string;
}

export function gather(): Gathered {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  return {
    stdout: (chunk) => void out.push(chunk),
    stderr: (chunk) => void err.push(chunk),
    out: () => Buffer.concat(out).toString(),
    err: () => Buffer.concat(err).toString(),
  };
}

export function started(child: Child | SpawnFailure): Child {
  if ('pid' in child) return child;
  throw new Error(`was not started: ${child.message}`);
}

/** Polls until the condition holds. @throws after `ms`, naming what was waited for */
export async function until(what: string, condition: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The pids that a program wrote, one a line. */
export function pidsIn(file: string): number[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map(Number) : [];
}

/** Alive and not merely uncollected: a container without an init keeps zombies. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

// What one worker process is told by flags and environment. A flag that cannot be used is refused; a variable falls back with a
// warning, since it may come from a profile that other programs share.

import { done, refused, type Tried } from '../model/errors.js';
import { isId } from '../model/ids.js';
import { stateDir, type PathEnv } from '../model/paths.js';
import { readProjects, type ProjectMap } from './projects.js';
import type { WorkerRoles, WorkerSlots } from './queue-plan.js';
import { readMetricsAddress, type MetricsAddress } from './telemetry.js';
import { SHUTDOWN_GRACE_MS } from './worker-options.js';

export interface WorkerFlags {
  /** `NAME` or `NAME=N` */
  executor?: string[];
  workflows?: boolean;
  fleet?: string;
  /** `HOST:PORT` or `PORT` */
  metrics?: string;
  agents?: number;
  programs?: number;
}

export interface WorkerConfig extends WorkerDefaults {
  fleet: string;
  stateDir: string;
  roles: WorkerRoles;
  metrics?: MetricsAddress;
}

const DEFAULT_FLEET = 'sluice';
/** An agent takes a core and a GB now and then, and an account has limits: more is for people to ask for (operations.md, Workers). */
const DEFAULT_AGENTS = 4;
/** The bound of a run's own concurrency; one process could not feed more. */
const MAX_SLOTS = 1_000;

type Env = PathEnv['env'];

/** What the environment says of a worker that has no flags of its own, e.g. the embedded one. */
export interface WorkerDefaults {
  slots: WorkerSlots;
  /** what agents get to stop at shutdown, ms */
  graceMs: number;
  projects: ProjectMap;
}

/**
 * Reads `SLUICE_AGENT_SLOTS`, `SLUICE_PROGRAM_SLOTS`, `SLUICE_SHUTDOWN_GRACE` (s) and `SLUICE_PROJECTS`.
 * @param cores of this machine: programs are mostly CPU, so that is how many run at once
 * @returns one warning for each value that could not be used
 */
export function readWorkerDefaults(env: Env, cores: number): { defaults: WorkerDefaults; warnings: string[] } {
  const warnings: string[] = [];
  const { projects, warnings: ofProjects } = readProjects(env.SLUICE_PROJECTS);
  const slots = {
    agents: counted(env, 'SLUICE_AGENT_SLOTS', DEFAULT_AGENTS, warnings),
    programs: counted(env, 'SLUICE_PROGRAM_SLOTS', cores, warnings),
  };
  const graceMs = counted(env, 'SLUICE_SHUTDOWN_GRACE', SHUTDOWN_GRACE_MS / 1000, warnings) * 1000;
  return { defaults: { slots, graceMs, projects }, warnings: [...warnings, ...ofProjects] };
}

/**
 * Puts flags, environment and defaults together.
 * @param cores of this machine
 * @returns refusal `usage` for a flag that cannot be used
 */
export function readWorkerConfig(flags: WorkerFlags, where: PathEnv, cores: number): Tried<{ config: WorkerConfig; warnings: string[] }> {
  const { env } = where;
  const executors = readExecutors(flags.executor ?? []);
  if (!executors.ok) return executors;
  const metrics = flags.metrics === undefined ? done(undefined) : readMetricsAddress(flags.metrics);
  if (!metrics.ok) return metrics;
  const wrong = wrongFlag(flags);
  if (wrong !== undefined) return refused('usage', wrong);
  const { defaults, warnings } = readWorkerDefaults(env, cores);
  const { agents, programs } = defaults.slots;
  const config: WorkerConfig = {
    ...defaults,
    fleet: flags.fleet ?? named(env, 'SLUICE_FLEET', DEFAULT_FLEET, warnings),
    stateDir: stateDir(where),
    roles: { workflows: flags.workflows ?? true, home: true, executors: executors.value },
    slots: { agents: flags.agents ?? agents, programs: flags.programs ?? programs },
    ...(metrics.value && { metrics: metrics.value }),
  };
  return done({ config, warnings });
}

/** What names may be, as the messages say it. */
const A_NAME = 'a name of letters, digits, dots, dashes and underscores';

function wrongFlag(flags: WorkerFlags): string | undefined {
  if (flags.fleet !== undefined && !isId(flags.fleet)) return `--fleet ${flags.fleet}: not ${A_NAME}`;
  for (const name of ['agents', 'programs'] as const) {
    const given = flags[name];
    if (given !== undefined && !usable(given)) return `--${name} ${given}: a whole number from 0 to ${MAX_SLOTS}`;
  }
  return undefined;
}

function usable(count: number): boolean {
  return Number.isInteger(count) && count >= 0 && count <= MAX_SLOTS;
}

/** `gpu=2`, or `gpu` for one. */
function readExecutors(given: readonly string[]): Tried<Record<string, number>> {
  const executors: Record<string, number> = {};
  for (const text of given) {
    const [name = '', count = '1', ...more] = text.split('=');
    const isCount = /^[1-9]\d*$/.test(count) && usable(Number(count));
    if (!isId(name) || !isCount || more.length > 0)
      return refused('usage', `--executor ${text}: give NAME=N, N from 1 to ${MAX_SLOTS}, e.g. --executor gpu=2`);
    if (Object.hasOwn(executors, name)) return refused('usage', `--executor ${name} is given twice`);
    executors[name] = Number(count);
  }
  return done(executors);
}

function counted(env: Env, name: string, fallback: number, warnings: string[]): number {
  const given = env[name]?.trim();
  if (given === undefined || given === '') return fallback;
  if (/^\d+$/.test(given) && usable(Number(given))) return Number(given);
  warnings.push(`${name}=${given}: not a whole number from 0 to ${MAX_SLOTS}, using ${fallback}`);
  return fallback;
}

function named(env: Env, name: string, fallback: string, warnings: string[]): string {
  const given = env[name]?.trim();
  if (given === undefined || given === '') return fallback;
  if (isId(given)) return given;
  warnings.push(`${name}=${given}: not ${A_NAME}, using ${fallback}`);
  return fallback;
}

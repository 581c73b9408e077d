// Builds and runs the workers of one process: one connection, one guard, one Temporal worker for each queue.
// Signals, flags and printing are main.ts's and embedded.ts's.

import { availableParallelism } from 'node:os';
import { NativeConnection, Worker, type NativeConnectionOptions } from '@temporalio/worker';
import type { DataConverter } from '@temporalio/common';
import type { Activities } from '../activities/contract.js';
import { createActivities } from '../activities/index.js';
import { startProcesses } from '../activities/process/guard-client.js';
import { sweepDispatches } from '../activities/process/sweep.js';
import { statePaths } from '../model/paths.js';
import { BUNDLE_PATH } from './bundle.js';
import { closers, type Closers } from './closers.js';
import { createDataConverter, payloadStore, readEncryptionKey } from './codec/index.js';
import { readWorkerDefaults, type WorkerDefaults } from './config.js';
import { hostId } from './host.js';
import { projectConfigs } from './project-config.js';
import { projectDir } from './projects.js';
import { queuePlans, type QueuePlan, type WorkerRoles, type WorkerSlots } from './queue-plan.js';
import { startAll } from './running.js';
import { installRuntime } from './runtime.js';
import { packageVersion } from './version.js';
import { workerOptions } from './worker-options.js';

export interface RunWorkersOptions {
  /** host:port */
  address: string;
  namespace: string;
  /** TLS, API key and the like, as envconfig reads them */
  connection?: NativeConnectionOptions;
  /** the user's state folder, absolute */
  stateDir: string;
  fleet: string;
  /** what a caller has read already; default: what the environment says (`readWorkerDefaults`) */
  defaults?: WorkerDefaults;
  /** over the defaults */
  slots?: Partial<WorkerSlots>;
  roles?: WorkerRoles;
  /** default: this process's. Programs inherit from it, and key, store and projects are read from it */
  env?: NodeJS.ProcessEnv;
  log(line: string): void;
  /** shuts down when aborted */
  signal?: AbortSignal;
  /** what agents get to stop at shutdown, ms; over the defaults */
  graceMs?: number;
  /** default: the package's own */
  bundlePath?: string;
  /** default: by address and environment, see `payloadStore` */
  payloadDir?: string;
  /** where the SDK's Prometheus exporter listens */
  exporter?: string;
  /** benches only: takes the place of real activities */
  activitiesOverride?: Partial<Activities>;
}

export interface RunningWorkers {
  /** this host's id */
  host: string;
  /** true while every queue is polled */
  polling(): boolean;
  /** resolves after a shutdown, rejects when a worker failed; in both, no process of ours is left */
  done: Promise<void>;
  /** all queues at once; resolves like `done`. Saying it again only waits */
  shutdown(): Promise<void>;
}

/**
 * Starts every queue of this process and returns once they are polled (operations.md, Workers).
 * @throws when Temporal cannot be reached, a setting of the environment is refused, or the guard does not start; nothing is left open
 */
export async function runWorkers(options: RunWorkersOptions): Promise<RunningWorkers> {
  const opened = closers();
  try {
    return await start(options, opened);
  } catch (error) {
    await closeAfter(opened);
    throw error;
  }
}

async function start(options: RunWorkersOptions, opened: Closers): Promise<RunningWorkers> {
  installRuntime(options);
  const settings = settingsOf(options);
  const host = await hostId(options.stateDir);
  const dataConverter = converterOf(options);
  const connection = await NativeConnection.connect({ ...options.connection, address: options.address });
  opened.add(() => connection.close());
  const activities = await realActivities(options, settings, host, opened);
  const make = (plan: QueuePlan): Promise<Worker> =>
    Worker.create({
      ...workerOptions(plan, settings.graceMs),
      ...(plan.workflows && { workflowBundle: { codePath: options.bundlePath ?? BUNDLE_PATH } }),
      ...(plan.activities.length > 0 && { activities: picked({ ...activities, ...options.activitiesOverride }, plan.activities) }),
      connection,
      namespace: options.namespace,
      identity: `sluice ${packageVersion()} on ${host}, process ${process.pid}`,
      dataConverter,
    });
  const workers = await Promise.all(queuePlans(options.fleet, host, options.roles ?? {}, settings.slots).map(make));
  const running = startAll(workers);
  const done = ending(running.ended, opened);
  const shutdown = (): Promise<void> => {
    running.stop();
    return done;
  };
  options.signal?.addEventListener('abort', running.stop, { once: true });
  if (options.signal?.aborted) running.stop();
  return { host, polling: running.polling, done, shutdown };
}

/** Closes what was opened once the workers have ended; their own fault is told before one of closing. */
async function ending(ended: Promise<void>, opened: Closers): Promise<void> {
  try {
    await ended;
  } catch (fault) {
    await closeAfter(opened);
    throw fault;
  }
  await opened.close();
}

/** Closes after a fault. A worker that never ran, or was given up, still holds its connection: the fault is the news, not that. */
async function closeAfter(opened: Closers): Promise<void> {
  await opened.close().catch(() => undefined);
}

/** What the caller says, else the environment. */
function settingsOf({ env = process.env, defaults, slots, graceMs, log }: RunWorkersOptions): WorkerDefaults {
  const read = defaults ? { defaults, warnings: [] } : readWorkerDefaults(env, availableParallelism());
  read.warnings.forEach((warning) => log(warning));
  return { ...read.defaults, slots: { ...read.defaults.slots, ...slots }, graceMs: graceMs ?? read.defaults.graceMs };
}

/** The activities on this host's disk and processes, with the guard that ends with them. */
async function realActivities(options: RunWorkersOptions, settings: WorkerDefaults, host: string, opened: Closers): Promise<Activities> {
  const { stateDir, env = process.env, log } = options;
  // before anything is started here: what a killed worker left behind must not meet its successor
  await sweepDispatches({ stateDir, log });
  const processes = await startProcesses({ stateDir, env, log });
  opened.add(() => processes.close());
  return createActivities({
    host,
    stateDir,
    processes,
    config: projectConfigs(log),
    env,
    projectDir: (ref) => projectDir(settings.projects, ref),
    shutdownGraceMs: settings.graceMs,
    log,
  });
}

function converterOf({ address, env = process.env, stateDir, payloadDir }: RunWorkersOptions): DataConverter {
  const reading = readEncryptionKey(env);
  if (!reading.ok) throw new Error(reading.reason);
  const store = payloadDir ?? payloadStore({ address, env, local: statePaths(stateDir).payloads });
  return createDataConverter({ ...(store !== undefined && { payloadDir: store }), ...(reading.key && { key: reading.key }) });
}

function picked(activities: Activities, names: readonly (keyof Activities)[]): Partial<Activities> {
  return Object.fromEntries(names.map((name) => [name, activities[name]]));
}

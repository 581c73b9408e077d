// What `sluice worker` runs until it is told to stop. Says what it polls, maps faults to refusals; the CLI owns signals and exits.

import type { NativeConnectionOptions } from '@temporalio/worker';
import { done, refused, type Tried } from '../model/errors.js';
import { runWorkers, type RunningWorkers } from './build.js';
import { readEncryptionKey } from './codec/index.js';
import type { WorkerConfig } from './config.js';
import { startTelemetry, type Telemetry } from './telemetry.js';

export interface WorkerMain {
  config: WorkerConfig;
  /** host:port, as the CLI found it */
  address: string;
  namespace: string;
  connection?: NativeConnectionOptions;
  env: NodeJS.ProcessEnv;
  /** aborted by the first signal; a second one ends the process, and with it the guard's pipe and every tree */
  signal: AbortSignal;
  /** lines for the person who runs it */
  say(line: string): void;
  /** warnings and faults */
  log(line: string): void;
}

/**
 * Runs the workers until the signal.
 * @returns refusal `config` for a key that is none, `unreachable` when Temporal does not answer, `defect` when a worker failed
 * or had to be given up; done after a clean shutdown
 */
export async function workerMain(options: WorkerMain): Promise<Tried<undefined>> {
  let workers: RunningWorkers | undefined;
  const { config, env } = options;
  const key = readEncryptionKey(env);
  if (!key.ok) return refused('config', key.reason);
  const telemetry = await openTelemetry(options, () => workers?.polling() ?? false);
  if (!telemetry.ok) return telemetry;
  try {
    workers = await runWorkers({ ...options, ...config, defaults: config, ...(telemetry.value && { exporter: telemetry.value.exporter }) });
    announce(options, workers, telemetry.value);
    await workers.done;
    return done(undefined);
  } catch (error) {
    return fault(error, options);
  } finally {
    await telemetry.value?.close();
  }
}

async function openTelemetry({ config }: WorkerMain, healthy: () => boolean): Promise<Tried<Telemetry | undefined>> {
  const { metrics } = config;
  if (metrics === undefined) return done(undefined);
  try {
    return done(await startTelemetry(metrics, healthy));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return refused('usage', `--metrics: cannot listen on ${metrics.host}:${metrics.port} (${code}); choose another port`, message);
  }
}

function announce({ config, address, namespace, say, signal }: WorkerMain, { host }: RunningWorkers, telemetry?: Telemetry): void {
  const executors = Object.entries(config.roles.executors ?? {}).map(([name, count]) => `, ${name} ${count}`);
  const workflows = config.roles.workflows === false ? 'no workflows' : 'workflows';
  say(`worker on host ${host}: fleet ${config.fleet} at ${address}, namespace ${namespace}`);
  say(`takes ${workflows}, agents ${config.slots.agents}, programs ${config.slots.programs}${executors.join('')}`);
  if (telemetry) say(`metrics at ${telemetry.url}/metrics, health at ${telemetry.url}/healthz`);
  const stopping = `stopping: agents get ${config.graceMs / 1000} s to hand over; once more to end at once`;
  signal.addEventListener('abort', () => say(stopping), { once: true });
}

/** Faults of the SDK are told by name: its classes are not worth an import for two words. */
function fault(error: unknown, { address, namespace }: WorkerMain): Tried<never> {
  const { name, message } = error as { name?: string; message?: string };
  const cause = message ?? String(error);
  if (/Namespace .* was not found/.test(cause)) {
    return refused('unreachable', `Temporal at ${address} has no namespace ${namespace}; set TEMPORAL_NAMESPACE, or create it`, cause);
  }
  if (name === 'TransportError') return refused('unreachable', `cannot reach Temporal at ${address}`, cause);
  if (name === 'GracefulShutdownPeriodExpiredError') {
    return refused('defect', 'a dispatch did not end within the time for shutting down; its processes were killed', cause);
  }
  return refused('defect', `worker failed: ${cause}`);
}

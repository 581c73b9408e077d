// The SDK's one runtime of this process: quiet, its warnings as lines of ours, its exporter only where metrics are wanted.

import { DefaultLogger, Runtime, type LogEntry } from '@temporalio/worker';

export interface RuntimeSettings {
  log(line: string): void;
  /** where the SDK's Prometheus exporter listens, `HOST:PORT` */
  exporter?: string;
}

/** The runtime outlives every worker of the process, so its lines go to whoever asked last. */
let log: ((line: string) => void) | undefined;

/** Noise at a start: all queues but one are for activities alone (queue-plan.ts); a missing namespace is told by the worker itself. */
const EXPECTED = /^No workflows registered, not polling|^Network error while describing namespace for heartbeat/;

/** Installs the runtime once a process; later calls only take over its log lines (an exporter asked for then comes too late). */
export function installRuntime(settings: RuntimeSettings): void {
  const installed = log !== undefined;
  log = settings.log;
  if (installed) return;
  Runtime.install({
    logger: new DefaultLogger('WARN', (entry) => {
      if (!EXPECTED.test(entry.message)) log?.(logLine(entry));
    }),
    // signals are main.ts's: the SDK's own handlers would shut down workers one by one, in the middle of ours
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...(settings.exporter !== undefined && { metrics: { prometheus: { bindAddress: settings.exporter } } }),
    },
  });
}

/** Attributes that tell a reader which run and dispatch a line is about; the SDK's others are noise here. */
const TOLD = ['workflowId', 'activityId', 'activityType', 'taskQueue', 'attempt'] as const;

/** One line: level, message, whom it is about, and the error's message without its stack. */
export function logLine({ level, message, meta }: LogEntry): string {
  const told = TOLD.flatMap((name) => (meta?.[name] === undefined ? [] : [`${name}=${String(meta[name])}`]));
  // an Error of the SDK's TypeScript side, a text of its native one
  const error = meta?.error as { message?: string } | string | undefined;
  const words = typeof error === 'object' ? error.message : error;
  const reason = words === undefined ? [] : [`error=${JSON.stringify(words)}`];
  return [level, message.replaceAll('\n', ' '), ...told, ...reason].join(' ');
}

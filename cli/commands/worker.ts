// `sluice worker`: polls the fleet's queues until it is told to stop. Finds Temporal and reads the flags; workers/ does the rest.

import { availableParallelism } from 'node:os';
import { temporalSettings } from '../../client/temporal-config.js';
import { EXIT, exitCodeOfSignal } from '../../model/errors.js';
import { readWorkerConfig, type WorkerFlags } from '../../workers/config.js';
import { workerMain } from '../../workers/main.js';
import type { Io } from '../io.js';
import { refuse } from '../refuse.js';

/**
 * Runs a worker in the foreground.
 * @returns 130 or 143 after a clean shutdown by a signal, as every command (people.md, CLI), else the refusal's code
 */
export async function run(args: WorkerFlags, io: Io): Promise<number> {
  const settings = temporalSettings(io);
  if (!settings.ok) return refuse(io, settings.refusal);
  const read = readWorkerConfig(args, io, availableParallelism());
  if (!read.ok) return refuse(io, read.refusal);
  const { config, warnings } = read.value;
  warnings.forEach((warning) => io.err(warning));
  const { address, namespace, options: connection } = settings.value;
  const ended = await workerMain({
    config,
    address,
    namespace,
    connection,
    env: io.env,
    signal: io.signal,
    say: (line) => (io.quiet ? undefined : io.err(line)),
    log: (line) => io.err(line),
  });
  if (!ended.ok) return refuse(io, ended.refusal);
  return io.signal.aborted ? exitCodeOfSignal(String(io.signal.reason)) : EXIT.ok;
}

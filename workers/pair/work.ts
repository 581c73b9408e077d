// The middle of a pair's life: from the moment the server serves until something ends it. Knows the workers by their promises only.

import { setTimeout as sleep } from 'node:timers/promises';
import { done, refused, type Tried } from '../../model/errors.js';
import { identify } from '../../temporal-dev/process-identity.js';
import type { DevServer } from '../../temporal-dev/server.js';
import { packageVersion } from '../version.js';
import { writeDevInfo, type DevInfo } from './dev-info.js';
import type { KeptServer } from './keep-server.js';
import type { PairOptions, StartWorkers } from './options.js';

/** Of a worker that was started without a name. */
const FLEET = 'sluice';
/** The one that start-dev makes. */
const NAMESPACE = 'default';
/** The workers force themselves to an end after 25 s of grace and 30 s more; past that they are stuck, and their guard tidies up. */
const HAND_OVER_MS = 60_000;

/**
 * Starts the workers and waits for what ends the pair; then the workers hand over, while the server still serves.
 * @param version of the Temporal CLI
 */
export async function withWorkers(options: PairOptions, version: string, kept: KeptServer): Promise<Tried<undefined>> {
  const { stateDir, env, signal, log } = options;
  if (signal.aborted) return done(undefined);
  const { address } = kept.current();
  const workers = await options.startWorkers({ address, namespace: NAMESPACE, stateDir, fleet: FLEET, env, signal, log });
  await announce(options, version, kept.current());
  const end = await Promise.race([
    aborted(signal).then(() => done(undefined)),
    kept.lost.then((reason) => refused('unreachable', reason)),
    workers.done.then(
      () => (signal.aborted ? done(undefined) : refused('defect', 'the workers ended by themselves')),
      (error: unknown) => refused('defect', `the workers failed: ${String((error as Error).message)}`),
    ),
  ]);
  await handOver(workers, log);
  return end;
}

/** Tells the world where the server is: the file first, then whoever waits for it here. */
export async function announce(options: PairOptions, version: string, server: DevServer): Promise<void> {
  const { stateDir, mode, ephemeral = false } = options;
  const owner = await identify(process.pid);
  if (!owner) throw new Error(`the start time of this process (${process.pid}) cannot be read, so nobody could tell that it runs`);
  const info: DevInfo = {
    ...owner,
    serverPid: server.pid,
    serverStart: server.start,
    address: server.address,
    uiUrl: server.uiUrl,
    version,
    mode,
    ephemeral,
    since: new Date().toISOString(),
    sluiceVersion: packageVersion(),
  };
  await writeDevInfo(stateDir, info);
  options.onReady(info);
}

/** Asks the workers to end. Their fault was told by `done` already; a server that is gone makes them slow, never wrong. */
async function handOver(workers: Awaited<ReturnType<StartWorkers>>, log: (line: string) => void): Promise<void> {
  const ended = workers.shutdown().then(
    () => true,
    () => true, // the same fault that `done` rejects with
  );
  const late = new AbortController();
  const tooLate = sleep(HAND_OVER_MS, false, { signal: late.signal }).catch(() => false);
  if (!(await Promise.race([ended, tooLate]))) log(`the workers did not end within ${HAND_OVER_MS / 1000} s; going on without them`);
  late.abort();
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

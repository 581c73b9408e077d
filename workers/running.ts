// The common life of several Temporal workers: they start together, and when one ends, all end. Knows nothing of what they do.

import type { Worker } from '@temporalio/worker';

export interface RunningSet {
  /** true while every worker polls */
  polling(): boolean;
  /** asks all of them at once to shut down; saying it again does nothing */
  stop(): void;
  /** settles when all have ended; rejects with the first fault */
  ended: Promise<void>;
}

/** Starts them. After this returns, every worker is in the state RUNNING or its fault is on the way in `ended`. */
export function startAll(workers: readonly Worker[]): RunningSet {
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const runs = workers.map(async (worker) => {
    try {
      await worker.run();
    } finally {
      // a process that lost one of its queues looks alive and is not: better none, and whoever watches it starts it again
      stop();
    }
  });
  return { polling: () => workers.every((worker) => worker.getState() === 'RUNNING'), stop, ended: all(runs) };
}

async function all(runs: Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(runs);
  const fault = settled.find((run): run is PromiseRejectedResult => run.status === 'rejected');
  if (fault) throw fault.reason;
}

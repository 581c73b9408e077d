// Waiting for a condition with a deadline: the one way of waiting in this folder.

import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
  timeoutMs: number;
  /** default 25 ms: unnoticed by a person, and a tenth of a percent of a core */
  everyMs?: number;
  signal?: AbortSignal;
}

/**
 * Asks `condition` until it holds.
 * @returns true when it held, false when the time was up or `signal` was aborted
 */
export async function poll(condition: () => Promise<boolean> | boolean, options: PollOptions): Promise<boolean> {
  const deadline = Date.now() + options.timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() >= deadline || options.signal?.aborted) return false;
    await sleep(options.everyMs ?? 25);
  }
}

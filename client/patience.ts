// Keeps asking a Temporal that does not answer for a moment: a dev server that is started again, a network that blinks.
// Only for what watches; a command that acts says at once that it could not.

import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable, messageOf } from './failures.js';

/** `sluice dev` is up again within seconds, a fail-over within a minute. Longer is for a person to judge. */
const PATIENCE_MS = 60_000;
const AGAIN_MS = 500;

export interface Patience {
  signal?: AbortSignal | undefined;
  /** told when an answer fails to come */
  note: (text: string) => void;
}

/**
 * Runs `work` until it does not fail for want of a connection.
 * @throws the last failure after a minute of them, and every other failure at once
 */
export async function patiently<T>(work: () => Promise<T>, { signal, note }: Patience): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error) || Date.now() > until || signal?.aborted === true) throw error;
      note(`Temporal does not answer; trying for a minute (${messageOf(error)})`);
      await sleep(AGAIN_MS);
    }
  }
}

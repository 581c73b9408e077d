// Getting the pair's lock: at once, by waiting for a short holder, by ending the holder, or not at all.
// Knows the labels of holders and who yields to whom; nothing of servers.

import { endProcess, type ProcessIdentity } from '../../temporal-dev/process-identity.js';
import { tryLock, type LockOwner } from '../../temporal-dev/lock.js';
import { poll } from '../../temporal-dev/poll.js';

/** Who may hold the lock. `down` holds it for the moment it needs to tidy up. */
export type Holder = 'embedded' | 'foreground' | 'down';

/** The workers' grace (25 s), what they are forced in (30 s), the server's end (10 s), and a little air. */
export const STOP_GRACE_MS = 75_000;

/** Another `down` waits for its own pair at most this long, and then some. */
const SEIZE_TIMEOUT_MS = 2 * STOP_GRACE_MS;

export interface Ended extends ProcessIdentity {
  label: string;
  how: 'ended' | 'killed';
}

export type Seized = { held: LockOwner } | { release(): Promise<void>; ended: Ended[] };

export interface SeizeOptions {
  label: Holder;
  /** may this holder be ended? */
  mayEnd(owner: LockOwner): boolean;
  onEnding?(owner: LockOwner): void;
}

/**
 * Takes the lock, ending holders that `mayEnd` names (SIGTERM; SIGKILL after 75 s) and waiting for a `down` that tidies up.
 * @returns the way to release it and what was ended, or the holder that keeps it
 */
export async function seize(lock: string, options: SeizeOptions): Promise<Seized> {
  const ended: Ended[] = [];
  let result: Seized | undefined;
  const attempt = async (): Promise<boolean> => {
    const tried = await tryLock(lock, options.label);
    if (tried.taken) {
      result = { release: tried.release, ended };
      return true;
    }
    const { owner } = tried;
    if (owner.label === 'down') return false;
    result = { held: owner };
    if (!options.mayEnd(owner)) return true;
    options.onEnding?.(owner);
    const how = await endProcess(owner, STOP_GRACE_MS);
    if (how !== 'absent') ended.push({ ...owner, how });
    return false;
  };
  await poll(attempt, { timeoutMs: SEIZE_TIMEOUT_MS, everyMs: 100 });
  if (!result) throw new Error(`the lock ${lock} was not free within ${SEIZE_TIMEOUT_MS / 1000} s`);
  return result;
}

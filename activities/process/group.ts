// Process groups, by the number of their leader. Only for a group whose number is known to be still its own.

/** Processes that end with their leader anyway (a pipeline, a shell's children) are given so long before they count as left behind. */
const SETTLE_MS = 100;
const SETTLE_STEP_MS = 10;

/** @returns whether somebody is in the group */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // ESRCH: nobody is left in it. EPERM: somebody is, and became another user's
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function groupExists(group: number): boolean {
  return signalGroup(group, 0);
}

/** Waits a little for a group to end by itself. */
export async function groupSettles(group: number): Promise<void> {
  const until = Date.now() + SETTLE_MS;
  while (groupExists(group) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, SETTLE_STEP_MS));
}

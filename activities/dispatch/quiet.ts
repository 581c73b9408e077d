// The clock of quiet workers: the dispatch keeps it because it has the stream (run.md, Quiet workers).
// It never ends anything.

export interface QuietClock {
  /** the agent or program showed progress */
  lively(): void;
  stop(): void;
}

/**
 * Tells `quiet` once a stretch without progress has lasted `quietMs`, and `lively` when it ends.
 * One timer is kept however often there is progress: it looks back when it fires.
 */
export function startQuietClock(quietMs: number, tell: { quiet(sinceMs: number): void; lively(): void }): QuietClock {
  let last = Date.now();
  let quiet = false;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const since = Date.now() - last;
    if (since < quietMs) return arm(quietMs - since);
    quiet = true;
    tell.quiet(since);
  };
  const arm = (ms: number): void => {
    // a timer's longest wait; a longer setting is looked at in steps
    timer = setTimeout(look, Math.min(ms, 2_147_483_647));
  };
  arm(quietMs);
  return {
    lively(): void {
      last = Date.now();
      if (!quiet) return;
      quiet = false;
      tell.lively();
      arm(quietMs);
    },
    stop: () => clearTimeout(timer),
  };
}

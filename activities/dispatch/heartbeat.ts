// Says that the worker lives, and carries the counters that the next attempt finds (run.md, Dispatches).
// Its beat is never the agent's progress (case O-42).

import type { Progress } from '../../model/agent/attempts.js';

export interface Heartbeat {
  /** at once: the counters changed in a way the next attempt must know */
  beat(): void;
  stop(): void;
}

/**
 * @param send the captured context's `heartbeat`
 * @param firstMs before the first beat. 0 for agents. A program that ends sooner saves the server a call: an attempt that finds no
 *   counters knows just as well that the one before it died
 */
export function startHeartbeat(send: (details: Progress) => void, progress: () => Progress, firstMs: number, everyMs: number): Heartbeat {
  let timer: NodeJS.Timeout | undefined;
  const beat = (): void => send(progress());
  const tick = (): void => {
    beat();
    timer = setTimeout(tick, everyMs);
  };
  if (firstMs === 0) tick();
  else timer = setTimeout(tick, Math.min(firstMs, everyMs));
  return { beat, stop: () => clearTimeout(timer) };
}

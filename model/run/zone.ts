// When a run continues as new (run.md, Size): at leisure, with short dispatches only, or at once.

import type { RunSettings } from '../settings.js';
import type { Zone } from './state.js';

/** The server refuses signals beyond 10,000 per execution. */
const MAX_SIGNALS = 8_000;
const MAX_BYTES = 4_194_304;

const ORDER: readonly Zone[] = ['free', 'roll', 'short', 'drain'];

export interface HistorySize {
  events: number;
  bytes: number;
  signals: number;
}

/** The zone that a history of this size calls for. `short` begins two thirds of the way to `drain` (20,000 of 30,000). */
export function zoneOf(history: HistorySize, settings: RunSettings): Zone {
  if (history.events >= settings.drainAtEvents || history.signals >= MAX_SIGNALS) return 'drain';
  if (history.events >= (settings.drainAtEvents * 2) / 3) return 'short';
  if (history.events >= settings.rollAtEvents || history.bytes >= MAX_BYTES) return 'roll';
  return 'free';
}

/** True when `next` is further on than `now`. */
export function isFurther(next: Zone, now: Zone): boolean {
  return ORDER.indexOf(next) > ORDER.indexOf(now);
}

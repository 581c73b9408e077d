// How long a refusal by quota is waited for (agents.md, Quota). Arithmetic only: the clock is an argument,
// and what the wording says is read by reset-wording.ts.

import type { QuotaHint } from './events.js';
import { readResetHint } from './reset-wording.js';
import type { ZoneOffset } from './reset-wording.js';

export { readResetHint } from './reset-wording.js';
export type { ZoneOffset } from './reset-wording.js';
export { isQuotaWording } from './quota-wording.js';

const MINUTE = 60_000;
/** a week's limit and a day of grace: an epoch further off is a defect of the CLI, not a wait */
export const EXACT_CAP_MS = 8 * 24 * 60 * MINUTE;
/** wordings are guesses (zone, day, still limited after the reset): look again at least this often */
export const WORDING_CAP_MS = 30 * MINUTE;
/** no time told, or none that can be read */
export const FALLBACK_MS = 5 * MINUTE;

/**
 * The hint of one refusal: an epoch (seconds) whole, capped at 8 days; else the wording's time, capped at 30 min from now;
 * else no time. An epoch that is past tells nothing.
 */
export function quotaHint(text: string, nowMs: number, zone: ZoneOffset, epochSeconds?: number): QuotaHint {
  const exactMs = epochSeconds === undefined ? epochIn(text) : epochSeconds * 1000;
  if (exactMs !== undefined && exactMs > nowMs) return { resetAt: cappedReset(exactMs, nowMs, true), exact: true, text };
  const read = readResetHint(text, iso(nowMs), zone);
  return read === undefined ? { exact: false, text } : { resetAt: cappedReset(Date.parse(read), nowMs, false), exact: false, text };
}

/** An instant (ISO) no further off than a hint of its kind is trusted. */
export function cappedReset(resetMs: number, nowMs: number, exact: boolean): string {
  return iso(Math.min(resetMs, nowMs + (exact ? EXACT_CAP_MS : WORDING_CAP_MS)));
}

/**
 * How long to wait, in ms, always above zero. `lastWaitMs` is the wait that the same refusal was given before: a try refused
 * again waits at least double, up to 30 min, so that a reset that does not come true makes no tight loop.
 */
export function quotaWaitMs(hint: QuotaHint, nowMs: number, lastWaitMs?: number): number {
  const told = hint.resetAt === undefined ? undefined : Date.parse(hint.resetAt) - nowMs;
  if (hint.exact && told !== undefined && told > 0) return Math.min(told, EXACT_CAP_MS);
  const wait = told !== undefined && told > 0 ? told : FALLBACK_MS;
  return Math.min(WORDING_CAP_MS, Math.max(wait, 2 * (lastWaitMs ?? 0)));
}

/** "usage limit reached|1796073865", in seconds or milliseconds: a machine's number inside a text is still exact. */
function epochIn(text: string): number | undefined {
  const found = /\|\s*(\d{10})(\d{3})?\b/.exec(text);
  return found ? Number(found[1]) * 1000 + Number(found[2] ?? 0) : undefined;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

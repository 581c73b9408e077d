// Durations as people write them: `45m`, `2h`, `1h30m`, `90s`, `500ms`, `7d`. Whole numbers, largest unit first.
// Knows nothing of clocks: text in, milliseconds out.

/** The same rule for editors (JSON Schema); it cannot say "not zero", `parseDuration` can. */
export const DURATION_PATTERN = /^(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;

const UNIT_MS = [86_400_000, 3_600_000, 60_000, 1_000, 1] as const;

/** Ten years: a longer wait is a typing error, and dates computed from it stay printable. */
export const MAX_DURATION_MS = 3_650 * 86_400_000;

/** Node's timers overflow at 2^31 ms (24.8 days) and then fire at once; a dispatch's own timeout is one of them. */
export const MAX_TIMEOUT_MS = 24 * 86_400_000;

export type ParsedDuration = { ok: true; ms: number } | { ok: false; reason: string };

/**
 * Reads a duration.
 * @param maxMs the longest that is taken
 * @returns milliseconds, or why the text is refused (unreadable, zero, negative, too long: plan.md, Refusals)
 */
export function parseDuration(text: string, maxMs = MAX_DURATION_MS): ParsedDuration {
  if (text.startsWith('-')) return { ok: false, reason: `\`${text}\` is negative; a duration is above zero` };
  const match = DURATION_PATTERN.exec(text);
  if (match === null) return { ok: false, reason: `\`${text}\` is not a duration such as 45m, 2h, 1h30m, 90s, 500ms or 7d` };
  const ms = UNIT_MS.reduce((sum, unit, index) => sum + unit * Number(match[index + 1] ?? 0), 0);
  if (ms === 0) return { ok: false, reason: `\`${text}\` is zero; a duration is above zero` };
  if (ms > maxMs) return { ok: false, reason: `\`${text}\` is too long; at most ${maxMs / 86_400_000}d` };
  return { ok: true, ms };
}

/**
 * Milliseconds of a duration that was checked before.
 * @throws when it was not: a defect
 */
export function durationMs(text: string): number {
  const parsed = parseDuration(text);
  if (!parsed.ok) throw new Error(`unchecked duration: ${parsed.reason}`);
  return parsed.ms;
}

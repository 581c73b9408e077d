// Reads when a limit ends out of a CLI's words: durations, clock times, dates, with or without a zone (case O-11, agent-clis.md).
// Knows no zone table: offsets are asked of a function, since the model may not use the host's.

/**
 * Minutes east of UTC of a zone at an instant; `undefined` as name is the worker's own zone.
 * Answers undefined for a zone that does not exist.
 */
export type ZoneOffset = (name: string | undefined, utcMs: number) => number | undefined;

// Where a time may follow: "resets 3pm", "will reset at …", "try again in …", "retry after …", "regain access on …".
const LEAD = /\b(?:resets?|try again|retry(?:ing)?|regain access)(?:\s+(?:at|on|in|after))?\s+/gi;

/**
 * The instant (ISO) at which a text says that its limit ends, uncapped. A clock time past is tomorrow's, a date past without
 * a year is next year's, a time without a zone is the worker's.
 * @returns undefined when no time is told, it cannot be read, its zone does not exist, or it is past
 */
export function readResetHint(text: string, nowIso: string, zone: ZoneOffset): string | undefined {
  const now = Date.parse(nowIso);
  for (const lead of text.matchAll(LEAD)) {
    const rest = text.slice(lead.index + lead[0].length);
    const ms = duration(rest, now) ?? moment(rest, now, zone);
    if (ms !== undefined && ms >= now) return new Date(ms).toISOString();
  }
  return undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };
const PART = /^[\s,]*(?:and\s+)?(\d+(?:\.\d+)?)\s*(ms|d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])/i;

/** "1h 12m", "1h2m49s", "41.5s", "3 days and 2 hours". */
function duration(rest: string, now: number): number | undefined {
  let total: number | undefined;
  let left = rest;
  for (let part = PART.exec(left); part; part = PART.exec(left)) {
    const word = part[2]!.toLowerCase();
    total = (total ?? 0) + Number(part[1]) * UNIT_MS[word === 'ms' ? word : word[0]!]!;
    left = left.slice(part[0].length);
  }
  return total === undefined ? undefined : now + Math.ceil(total);
}

interface Day {
  year?: number;
  /** 0 to 11 */
  month: number;
  day: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NAMED_DAY =
  /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?(?:,|\s+at)?\s+/i;
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})(?:T|\s+at\s+|\s+)/i;
// `\s` takes in the narrow space that newer locale tables put before AM and PM.
const CLOCK = /^(\d{1,2})(?::(\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*(?:([ap])\.?m\b\.?)?/i;
const ZONE = /^\s*(?:\(([a-z][\w+\-/]*)\)|(UTC|GMT|Z)\b)/i;

/** "6:30pm (Asia/Jerusalem)", "Apr 27, 9am (UTC)", "Dec 1st, 2026 11:37 PM", "2026-12-01 at 00:00 UTC", "18:30". */
function moment(rest: string, now: number, zone: ZoneOffset): number | undefined {
  const day = dayOf(rest);
  const time = CLOCK.exec(rest.slice(day?.length ?? 0));
  if (!time) return undefined;
  const minutes = minutesOf(time);
  if (minutes === undefined) return undefined;
  const named = ZONE.exec(rest.slice((day?.length ?? 0) + time[0].length));
  const name = named?.[1] ?? (named?.[2] === undefined ? undefined : 'UTC');
  const offset = zone(name, now);
  if (offset === undefined) return undefined;
  const at = (on: Day & { year: number }) =>
    instant(Date.UTC(on.year, on.month, on.day) + minutes * 60_000, (utc) => zone(name, utc) ?? offset);
  const today = new Date(now + offset * 60_000);
  return day ? onDay(day.value, today, now, at) : onClock(today, now, at);
}

function dayOf(rest: string): { value: Day; length: number } | undefined {
  const iso = ISO_DAY.exec(rest);
  if (iso) return { value: { year: Number(iso[1]), month: Number(iso[2]) - 1, day: Number(iso[3]) }, length: iso[0].length };
  const named = NAMED_DAY.exec(rest);
  if (!named) return undefined;
  const value: Day = { month: MONTHS.indexOf(named[1]!.toLowerCase()), day: Number(named[2]) };
  return { value: named[3] ? { ...value, year: Number(named[3]) } : value, length: named[0].length };
}

/** Minutes after midnight; a bare number ("resets 5") is no time. */
function minutesOf([, hours, minutes, half]: RegExpExecArray): number | undefined {
  if (half === undefined && minutes === undefined) return undefined;
  const hour = Number(hours);
  if (hour > (half ? 12 : 23) || Number(minutes ?? 0) > 59) return undefined;
  const ofDay = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return ofDay * 60 + Number(minutes ?? 0);
}

type At = (on: Day & { year: number }) => number;

function onDay(day: Day, today: Date, now: number, at: At): number {
  if (day.year !== undefined) return at({ ...day, year: day.year });
  const year = today.getUTCFullYear();
  const ms = at({ ...day, year });
  return ms < now ? at({ ...day, year: year + 1 }) : ms;
}

function onClock(today: Date, now: number, at: At): number {
  const date = { year: today.getUTCFullYear(), month: today.getUTCMonth(), day: today.getUTCDate() };
  const ms = at(date);
  return ms < now ? at({ ...date, day: date.day + 1 }) : ms;
}

/** The UTC instant of a wall clock: its offset is asked twice, since the first guess may lie across a change of summer time. */
function instant(wall: number, offsetAt: (utc: number) => number): number {
  const guess = wall - offsetAt(wall) * 60_000;
  return wall - offsetAt(guess) * 60_000;
}

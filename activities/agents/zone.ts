// The host's clock and zone table for readers of streams: what the model may not know by itself.

import type { ZoneOffset } from '../../model/agent/quota.js';

export interface ReaderClock {
  /** ms since 1970 */
  now(): number;
  zone: ZoneOffset;
}

/** Time and zones of this host; a time told without a zone is in the worker's (agents.md, Quota). */
export const systemClock: ReaderClock = { now: () => Date.now(), zone: zoneOffset };

/**
 * Minutes east of UTC by the zone table of this host.
 * @returns undefined for a zone that is in no table, e.g. `Mars/Base`
 */
export function zoneOffset(name: string | undefined, utcMs: number): number | undefined {
  let parts: Intl.DateTimeFormatPart[];
  try {
    parts = formatter(name).formatToParts(utcMs);
  } catch (error) {
    // An unknown zone is the text's fault; any other complaint of Intl would be ours.
    if ((error as { name?: string }).name === 'RangeError') return undefined;
    throw error;
  }
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(value('year'), value('month') - 1, value('day'), value('hour'), value('minute'), value('second'));
  return Math.round((wall - utcMs) / 60_000);
}

function formatter(timeZone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

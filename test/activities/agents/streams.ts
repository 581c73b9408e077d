// Plays recorded streams through an adapter's reader: lines of stdout, then of stderr, then the end.

import { readFileSync } from 'node:fs';
import type { StreamReader } from '../../../activities/agents/adapter.js';
import type { ReaderClock } from '../../../activities/agents/zone.js';
import { zoneOffset } from '../../../activities/agents/zone.js';
import type { AgentEvent } from '../../../model/agent/events.js';

const FIXTURES = new URL('../../fixtures/agents/', import.meta.url);

export interface Exit {
  code: number | null;
  signal: string | null;
}

export const EXIT_0: Exit = { code: 0, signal: null };
export const EXIT_1: Exit = { code: 1, signal: null };

/** A clock that stands still, on a host whose zone is one hour east of UTC. */
export function clockAt(iso: string): ReaderClock {
  return { now: () => Date.parse(iso), zone: (name, utcMs) => (name === undefined ? 60 : zoneOffset(name, utcMs)) };
}

export function fixture(file: string): string[] {
  return readFileSync(new URL(file, FIXTURES), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

export function play(reader: StreamReader, stream: { out?: readonly string[]; err?: readonly string[]; exit: Exit }): AgentEvent[] {
  const out = (stream.out ?? []).flatMap((line) => reader.stdout(line));
  const err = (stream.err ?? []).flatMap((line) => reader.stderr(line));
  return [...out, ...err, ...(reader.end?.(stream.exit) ?? [])];
}

/** What an ending rests on: everything but signs of life. */
export function telling(events: readonly AgentEvent[]): AgentEvent[] {
  return events.filter((event) => event.kind !== 'progress' && event.kind !== 'session');
}

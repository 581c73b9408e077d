// A run's events as they happen: asked of the workflow, with the journal for what it no longer holds and for runs that are over.
// Polls with queries, which leave no trace in history.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '../model/event.js';
import type { Tried } from '../model/errors.js';
import type { Door } from './connect.js';
import { messageOf } from './failures.js';
import { readJournal, unreadableNote } from './journal.js';
import { describeRun, type RunSummary } from './list.js';
import { patiently } from './patience.js';
import { readEvents, type EventsPage } from './read.js';

/** First wait after news, then doubling: quick where a person looks on, and sparing where each query is billed. */
const POLL_LOCAL_MS = { first: 100, most: 1_000 };
const POLL_REMOTE_MS = { first: 1_000, most: 5_000 };

/** 4 KiB a payload at most: a page stays below 2 MB. */
const PAGE = 256;

/** Empty answers before the server is asked whether the run is still open (it may have been terminated). */
const ASK_IF_OPEN_AFTER = 4;

export interface FollowOptions {
  /** last `seq` already seen; 0 reads from the start */
  after?: number;
  /** false: stop at the present end instead of waiting for more */
  live: boolean;
  signal?: AbortSignal;
  /** told once each: what was skipped, what is not on this machine, that no worker answers */
  note: (text: string) => void;
}

interface Reading {
  door: Door;
  run: RunSummary;
  after: number;
  options: FollowOptions;
  told: Set<string>;
}

/** A page of events; `idle` means that there was nothing new, so that the reader may look at the run's state. */
export type Page = { events: Envelope[]; idle: boolean };

/**
 * Yields pages of events in order of `seq`, each event once, until the run is over or `signal` is aborted. The journal comes first where
 * it is on this machine, then what the workflow still holds.
 * Never throws for an absent worker: a live reader waits for one, and says so.
 */
export async function* follow(door: Door, run: RunSummary, options: FollowOptions): AsyncGenerator<Page> {
  const reading: Reading = { door, run, after: options.after ?? 0, options, told: new Set() };
  const pace = door.local ? POLL_LOCAL_MS : POLL_REMOTE_MS;
  let wait = pace.first;
  let empty = 0;
  let settled = false;
  for await (const events of written(reading)) yield { events, idle: false };
  while (options.signal?.aborted !== true) {
    const events = await nextPage(reading);
    if (events.length > 0) {
      yield { events, idle: false };
      [wait, empty] = [pace.first, 0];
      settled = events.at(-1)?.kind === 'run-settled'; // unless more follows: a run that was reopened goes on
      continue;
    }
    if (settled || !options.live) return;
    yield { events, idle: true };
    empty += 1;
    if (empty % ASK_IF_OPEN_AFTER === 0 && (await isOver(reading))) return;
    await sleep(wait, undefined, { signal: options.signal }).catch(() => undefined); // aborted: the loop's condition ends it
    wait = Math.min(wait * 2, pace.most);
  }
}

/** What is in the journal; where it has a hole (a torn line), the workflow may still hold what was there. */
async function* written(reading: Reading): AsyncGenerator<Envelope[]> {
  for (let events = await readOwnJournal(reading); events.length > 0;) {
    const hole = events.findIndex((event, index) => event.seq !== reading.after + 1 + index);
    if (hole !== 0) yield advance(reading, hole < 0 ? events : events.slice(0, hole));
    if (hole < 0) return;
    events = events.slice(hole);
    const before = events[0]!.seq;
    const page = await askEvents(reading, before - reading.after - 1);
    const filled = page.ok ? page.value.events.filter(({ seq }) => seq < before) : [];
    if (filled.length > 0) yield advance(reading, filled);
    if (reading.after + 1 < before) missing(reading, before);
    reading.after = before - 1;
  }
}

async function nextPage(reading: Reading): Promise<Envelope[]> {
  const page = await askEvents(reading, PAGE);
  if (!page.ok) return lastResort(reading, page);
  const { events, first } = page.value;
  const older = first > reading.after + 1 && events.length > 0 ? await olderThan(reading, first) : [];
  return advance(reading, [...older, ...events]);
}

function askEvents({ door, run, after, options }: Reading, limit: number): Promise<Tried<EventsPage>> {
  return patiently(() => readEvents(door, run.run_id, after, limit), options);
}

/** No worker, or Temporal no longer keeps the run: the journal is what is left, where it is on this machine. */
async function lastResort(reading: Reading, failed: Extract<Tried<never>, { ok: false }>): Promise<Envelope[]> {
  const events = advance(reading, await readOwnJournal(reading));
  if (events.length === 0) tell(reading, failed.refusal.message);
  return events;
}

async function olderThan(reading: Reading, before: number): Promise<Envelope[]> {
  const events = (await readOwnJournal(reading)).filter(({ seq }) => seq < before);
  if (events.length === 0) missing(reading, before);
  return events;
}

/** Events after the last one seen, from the journal on this machine; none when it is elsewhere. */
async function readOwnJournal(reading: Reading): Promise<Envelope[]> {
  const { run, after } = reading;
  if (run.project_dir === undefined) return [];
  try {
    const read = await readJournal(run.project_dir, run.run_id, { after });
    const skipped = unreadableNote(read);
    if (skipped !== undefined) tell(reading, skipped);
    return read.events;
  } catch (error) {
    // the run goes on without its journal for a while, and so does who watches it
    tell(reading, `the journal cannot be read, shown is what the run still holds: ${messageOf(error)}`);
    return [];
  }
}

function missing(reading: Reading, before: number): void {
  const where = reading.run.home === undefined ? 'the run keeps no journal' : `they are in the journal on host ${reading.run.home}`;
  tell(reading, `events ${reading.after + 1} to ${before - 1} are not here: ${where}`);
}

function advance(reading: Reading, events: Envelope[]): Envelope[] {
  reading.after = events.at(-1)?.seq ?? reading.after;
  return events;
}

async function isOver(reading: Reading): Promise<boolean> {
  const now = await patiently(() => describeRun(reading.door, reading.run.run_id), reading.options);
  return now === undefined || !now.open;
}

function tell(reading: Reading, text: string): void {
  if (reading.told.has(text)) return;
  reading.told.add(text);
  reading.options.note(text);
}

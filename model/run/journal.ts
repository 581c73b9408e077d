// When events leave for the journal, and what a refusal means: work that nobody can observe must not go on spending (run.md, Events).

import type { Envelope } from '../event.js';
import { list, type Draft } from './draft.js';
import type { WriteAnswer } from './inputs.js';
import type { JournalState, RunState } from './state.js';

/** A batch is at most this many events, and about this many bytes. */
const BATCH_EVENTS = 256;
const BATCH_BYTES = 262_144;
/**
 * A batch leaves when this many wait, or when the last answer is this old: not one per node. run.md says 250 ms; each answer is a
 * workflow task of its own, and on a chain that cost 12% against 3% with 1 s. Live readers ask the run for what is not written yet.
 */
const FULL = 64;
const STALE_MS = 1_000;
/** What no later input takes along is written by the alarm, this long after the last answer: an hour's program is on record early in it. */
const LATE_MS = 2_000;
/** Written envelopes kept for live readers. */
const TAIL_BYTES = 65_536;
/** A home that does not take a batch within this is away. From then on a batch waits longer: taken when home is back, at few events. */
const PATIENCE_MS = 30_000;
const AWAY_PATIENCE_MS = 600_000;
/** Pauses after the first and the second refusal; the third is the last. */
const RETRY_MS = [1_000, 5_000] as const;

/** @param home undefined: no journal, history is the only record */
export function newJournal(home: string | undefined): JournalState {
  return { mode: home === undefined ? 'none' : 'home', written: 0, answeredAt: 0, refusals: 0, away: false, lost: false };
}

/** Everything that can be written is written: the run may end. */
export function isFlushed(state: RunState): boolean {
  const { journal, seq } = state;
  return journal.inFlight === undefined && (journal.mode === 'none' || journal.lost || journal.written === seq);
}

/** Sends a batch if it is time. `urgent`: the run waits or ends, so nothing later would send it. */
export function flush(draft: Draft, urgent: boolean): void {
  const { state, now } = draft;
  const { journal } = state;
  if (journal.mode === 'none') return trim(draft, state.seq);
  const waiting = state.seq - journal.written;
  if (waiting === 0 || journal.lost || mustWait(journal, now)) return;
  // a run that is to continue as new does so before it waits for home again
  if (journal.away && state.zone !== 'free' && state.inFlight === 0) return;
  if (!urgent && waiting < FULL && now - journal.answeredAt < STALE_MS) return;
  const events = firstBatch(state.recent.slice(-waiting));
  const last = events.at(-1)?.seq ?? journal.written;
  goesOut(state, last);
  draft.effects.push({
    kind: 'journal',
    id: `journal/${journal.written + 1}-${last}/${journal.refusals}`,
    events,
    patienceMs: patience(journal),
  });
}

/**
 * Takes all that is not written, for what is sent in place of a batch. Few events: a run settles only when the rest is on disk.
 * @returns undefined: not now, something is out or a refusal is too fresh
 */
export function takeRest(state: RunState, now: number): readonly Envelope[] | undefined {
  const { journal, seq } = state;
  if (mustWait(journal, now)) return undefined;
  goesOut(state, seq);
  return state.recent.slice(state.recent.length - (seq - journal.written));
}

function mustWait({ inFlight, retryAt }: JournalState, now: number): boolean {
  return inFlight !== undefined || (retryAt !== undefined && retryAt > now);
}

function goesOut(state: RunState, last: number): void {
  state.journal = { ...state.journal, inFlight: last };
  delete state.journal.retryAt;
}

/** When the alarm is to send what waits; undefined: nothing waits, or a batch is out, or something else comes first. */
export function lateAt({ journal, seq, rules }: RunState): number | undefined {
  const none = journal.mode === 'none' || journal.lost || journal.inFlight !== undefined || journal.retryAt !== undefined;
  return rules < 2 || none || journal.written === seq || journal.away ? undefined : journal.answeredAt + LATE_MS;
}

/** How long home has to take something up, ms. */
export function patience({ away }: JournalState): number {
  return away ? AWAY_PATIENCE_MS : PATIENCE_MS;
}

function firstBatch(events: Envelope[]): Envelope[] {
  let bytes = 0;
  let count = 0;
  for (const event of events.slice(0, BATCH_EVENTS)) {
    bytes += roughSize(event);
    if (count > 0 && bytes > BATCH_BYTES) break;
    count += 1;
  }
  return events.slice(0, count);
}

// texts are what makes an envelope large; the rest of it is about 200 bytes
function roughSize(event: Envelope): number {
  let size = 200;
  for (const value of Object.values(event.payload)) {
    if (typeof value === 'string') size += value.length;
    else if (Array.isArray(value)) size += value.length * 24;
  }
  return size;
}

/** Takes the answer of the batch that was out. */
export function takeJournalAnswer(draft: Draft, answer: WriteAnswer): void {
  const { inFlight = 0, retryAt: _, refused: __, ...rest } = draft.state.journal;
  const journal: JournalState = { ...rest, answeredAt: draft.now };
  delete journal.inFlight;
  if ('away' in answer) draft.state.journal = { ...journal, away: true };
  else if (answer.written) draft.state.journal = { ...journal, written: inFlight, refusals: 0, away: false };
  else draft.state.journal = refusal(journal, `${answer.code}: ${answer.message}`, draft.now);
  trim(draft, draft.state.journal.written);
}

function refusal(journal: JournalState, refused: string, now: number): JournalState {
  const refusals = journal.refusals + 1;
  const pause = RETRY_MS[refusals - 1];
  const kept = { ...journal, refusals, refused, away: false };
  return pause === undefined ? { ...kept, lost: true } : { ...kept, retryAt: now + pause };
}

// the tail is cut only when it is twice its size, so that cutting costs little per event
function trim(draft: Draft, written: number): void {
  const { recent } = draft.state;
  const first = recent[0]?.seq ?? 0;
  const spare = written - first + 1;
  if (spare < TAIL_BYTES / 128) return;
  let bytes = 0;
  let keepFrom = spare;
  while (keepFrom > 0 && bytes < TAIL_BYTES) bytes += roughSize(recent[--keepFrom] as Envelope);
  if (keepFrom > 0) list(draft, 'recent').splice(0, keepFrom);
}

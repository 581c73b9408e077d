// The state of the run in one word, and the way it ends: settled, its events written, its result written, over (run.md, Statuses).

import type { Envelope } from '../event.js';
import type { Draft } from './draft.js';
import { nodeAt } from './draft.js';
import { emit } from './emit.js';
import { isEnd } from './frontier.js';
import type { WriteAnswer } from './inputs.js';
import { isFlushed, patience, takeJournalAnswer, takeRest } from './journal.js';
import { resultOf } from './result-of.js';
import type { Phase, RunState } from './state.js';
import type { RunStateWord } from './words.js';

/** After about an hour the run ends without its result at home: it is its return value all the same. */
const MAX_END_TRIES = 7;

/** One word for where the run stands. */
export function stateWord(state: RunState): RunStateWord {
  if (state.phase === 'open') return openWord(state);
  if (state.phase === 'cancelling') return 'running';
  return finalWord(state);
}

// a run whose only hold is a person waits, even while its journal is away
function openWord(state: RunState): RunStateWord {
  if (state.inFlight > 0 || state.queue.length > 0) return 'running';
  return state.decisions.length > 0 ? 'waiting' : 'running';
}

// settled as: a journal that refuses the very last words takes nothing back
function finalWord(state: RunState): RunStateWord {
  if (state.settledAs !== undefined) return state.settledAs;
  if (state.cancelled === true) return 'cancelled';
  if (state.journal.lost) return 'failed';
  return state.nodes.every((node) => node.status === 'done') ? 'complete' : 'failed';
}

/**
 * Moves the run towards its end as far as it can go now.
 * @returns true while only its journal keeps it from the end
 */
export function proceedToEnd(draft: Draft): boolean {
  const { state } = draft;
  const cancelled = state.phase === 'cancelling' && state.inFlight === 0;
  if (!cancelled && !(state.phase === 'open' && nothingCanMove(draft))) return false;
  // a run of which something could not be told is not complete: how it ends is known when the rest is written (run.md, Events)
  if (state.rules >= 2 && !isFlushed(state)) return true;
  close(draft, cancelled);
  return false;
}

function nothingCanMove(draft: Draft): boolean {
  const { state } = draft;
  if (state.inFlight > 0) return false;
  if (state.journal.lost) return true;
  if (state.queue.length > 0 || state.waiting.length > 0) return false;
  // what is left can start only when a blocking surface is answered
  return state.settled === state.nodes.length || state.nodes.every((node, i) => isEnd(node) || nodeAt(draft, i).dead);
}

/** Its last event is said: nothing changes any more. */
export function hasSettled(state: RunState): boolean {
  return state.phase === 'settled' || state.phase === 'closing' || state.phase === 'over';
}

/** The phases in which a run may continue as new; one that writes its result is about to end. */
export function mayRoll(phase: Phase): boolean {
  return phase === 'open' || phase === 'cancelling' || phase === 'settled';
}

function close(draft: Draft, cancelled: boolean): void {
  const { state } = draft;
  state.phase = 'settled';
  state.endedAt = draft.now;
  if (cancelled) state.cancelled = true;
  const lost = state.journal.lost ? { outcome: 'journal', detail: `the journal could not be written: ${state.journal.refused ?? ''}` } : {};
  const word = stateWord(state);
  if (state.rules >= 2) state.settledAs = word;
  emit(draft, 'run-settled', undefined, { state: word, ...lost });
}

/** What is left when a run has settled: its last word and its result are written at home, in one, and it ends. */
export function finishUp(draft: Draft): void {
  const { state } = draft;
  if (state.phase !== 'settled') return;
  if (state.journal.mode === 'none' || state.journal.lost) return end(draft);
  const events = takeLastWord(draft);
  if (events === undefined) return;
  state.phase = 'closing';
  const id = `end/${(state.endTries ?? 0) + 1}`;
  draft.effects.push({ kind: 'write-end', id, events, result: resultOf(state), patienceMs: patience(state.journal) });
}

// by the first rules the last word left with the journal, and the result after it
function takeLastWord({ state, now }: Draft): readonly Envelope[] | undefined {
  if (state.rules < 2) return isFlushed(state) ? [] : undefined;
  return takeRest(state, now);
}

/** They are on disk, or could not be put there: the run is over either way, its return value says the same. */
export function takeEndWritten(draft: Draft, answer: WriteAnswer): void {
  const { state } = draft;
  if (state.phase !== 'closing') return;
  state.endTries = (state.endTries ?? 0) + 1;
  if (state.rules >= 2 || 'away' in answer) takeJournalAnswer(draft, answer);
  const again = 'away' in answer ? state.endTries < MAX_END_TRIES : state.journal.retryAt !== undefined;
  if (!again) return end(draft);
  // said again by `finishUp`, at once or when the pause after a refusal is over
  state.phase = 'settled';
}

function end(draft: Draft): void {
  draft.state.phase = 'over';
  draft.effects.push({ kind: 'end', id: 'end', cancelled: draft.state.cancelled === true, result: resultOf(draft.state) });
}

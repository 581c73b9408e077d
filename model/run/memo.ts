// What `list` and `waiting` read of a run without asking it: upserted when a decision begins or ends, else at most every 30 s.

import { causesOf, shownStatus } from './blocking.js';
import { MAX_LISTED } from './decisions.js';
import type { Draft } from './draft.js';
import { iso } from './emit.js';
import { stateWord } from './ending.js';
import type { Memo } from './inputs.js';
import type { OpenDecision, RunState } from './state.js';
import { actionOf } from './result-of.js';
import { cutText } from '../text.js';

const EVERY_MS = 30_000;
/** The memo of a run is bounded: more decisions than this are asked for by query. */
const MAX_WAITING = 10;
/** bytes of one action in the memo: the server warns above 2 KiB of memo */
const MAX_ACTION = 120;

/** Tells the server where the run stands, when that is due. */
export function remember(draft: Draft): void {
  const { state } = draft;
  const word = stateWord(state);
  const waiting = state.decisions.map((decision) => decision.reference).join(' ');
  const last = state.memo ?? { state: 'running', waiting: '', at: state.startedAt };
  const changed = (word !== last.state && (word !== 'waiting' || waiting !== '')) || waiting !== last.waiting;
  if (!changed && (draft.now - last.at < EVERY_MS || state.phase === 'over')) return;
  state.memo = { state: word, waiting, at: draft.now };
  const memo = memoOf(state, word);
  const end = draft.effects.findIndex((effect) => effect.kind === 'end' || effect.kind === 'continue-as-new');
  draft.effects.splice(end < 0 ? draft.effects.length : end, 0, { kind: 'memo', id: `memo/${state.seq}`, memo });
}

function memoOf(state: RunState, word: string): Memo {
  const counts: Record<string, number> = {};
  const causes = causesOf(state);
  state.nodes.forEach((node, i) => {
    const status = shownStatus(node, causes[i] ?? []);
    counts[status] = (counts[status] ?? 0) + 1;
  });
  return { state: word, counts, waiting: state.decisions.slice(0, MAX_WAITING).map((decision) => waitingMemo(state, decision)) };
}

function waitingMemo(state: RunState, decision: OpenDecision): Memo['waiting'][number] {
  const i = state.input.plan.nodes.findIndex((node) => node.id === decision.reference);
  const surface = state.surfaces.find((one) => `surface:${one.id}` === decision.reference);
  const action = surface?.message ?? actionOf(state, i);
  const choices = state.input.plan.nodes[i]?.human?.choices.map((choice) => choice.name).slice(0, MAX_LISTED);
  return {
    reference: decision.reference,
    action: cutText(action, MAX_ACTION),
    since: iso(decision.since),
    ...(choices ? { choices } : {}),
  };
}

// The heart: one input decided against the state. Nothing is executed; what is wanted of the world comes back as data (docs/adr/0001).

import { admit, messageOf } from './admission.js';
import { cancelRun, expireGraces } from './cancellation.js';
import { answer, applyEnvelope, dismissSuspended, refuse } from './commands.js';
import { refreshDecisions } from './decisions.js';
import { openDraft, nodeAt, type Draft } from './draft.js';
import { emit } from './emit.js';
import { finishUp, hasSettled, mayRoll, proceedToEnd, stateWord, takeEndWritten } from './ending.js';
import { findFlight, takeLoss, takeReport, takeResult } from './flights.js';
import { graphOf } from './graph.js';
import type { RunInput } from './input.js';
import type { Decision, Input } from './inputs.js';
import { flush, newJournal, takeJournalAnswer } from './journal.js';
import { remember } from './memo.js';
import { expireDeadlines, releaseSlot, settle, startNode } from './settlement.js';
import { takeDelivered } from './delivery.js';
import { takeVerified } from './signed.js';
import type { RunState } from './state.js';
import { takeDescribed, takeSubscribed, takeSubscription, takeUpstream } from './upstreams.js';
import { setAlarm } from './alarm.js';

/** The state of a run that has not begun. `now` in ms. */
export function newRun(input: RunInput, now: number): RunState {
  const graph = graphOf(input.plan.nodes);
  return {
    v: 1,
    rules: input.rules ?? 1,
    input,
    phase: 'open',
    zone: 'free',
    startedAt: now,
    nodes: graph.nodes.map((_, i) => ({ status: 'pending', unmet: graph.needs[i]?.length ?? 0, lost: 0, dead: false, held: 0, n: 0 })),
    queue: [],
    waiting: [],
    inFlight: 0,
    settled: 0,
    locks: {},
    surfaces: [],
    decisions: [],
    answers: [],
    seq: 0,
    recent: [],
    journal: newJournal(input.home),
  };
}

/**
 * Decides one input. The given state is never changed. A throw inside leaves it standing: a settlement becomes `failed/defect`,
 * a command is refused, anything else is recorded; the workflow task never loops (run.md, Size).
 * @param now ms, workflow time
 */
export function decide(state: RunState, input: Input, now: number): Decision {
  const draft = openDraft(state, now);
  try {
    take(draft, input);
    conclude(draft);
    return decisionOf(draft);
  } catch (error) {
    return afterDefect(state, input, now, messageOf(error));
  }
}

function decisionOf(draft: Draft): Decision {
  return { state: draft.state, effects: draft.effects, events: draft.events };
}

function take(draft: Draft, input: Input): void {
  if (hasSettled(draft.state)) return takeLate(draft, input);
  switch (input.kind) {
    case 'start':
      return start(draft);
    case 'result':
      return takeResult(draft, input.dispatch, input.result);
    case 'lost':
      return takeLoss(draft, input.dispatch, input.loss);
    case 'report':
      return takeReport(draft, input.report);
    case 'envelope':
      return applyEnvelope(draft, input.envelope);
    case 'unreadable':
      return refuse(draft, 'operator', input.name, input.reason);
    case 'cancel-requested':
      return draft.state.phase === 'open' ? cancelRun(draft, undefined) : undefined;
    case 'alarm':
      delete draft.state.alarm;
      expireDeadlines(draft);
      return expireGraces(draft);
    case 'journal':
      return takeJournalAnswer(draft, input.answer);
    case 'end-written':
      return takeEndWritten(draft, input.answer);
    case 'zone':
      draft.state.zone = input.zone;
      return;
    case 'delivered':
      return takeDelivered(draft, input.key, input.answer);
    case 'verified':
      return takeVerified(draft, input.key, input.answer);
    case 'subscribe':
      return takeSubscription(draft, input.subscribe);
    case 'upstream':
      return takeUpstream(draft, input.upstream);
    case 'subscribed':
      return takeSubscribed(draft, input.run, input.node, input.answer);
    case 'described':
      return takeDescribed(draft, input.described);
    default:
      return input satisfies never;
  }
}

// `run-settled` is the last event: what comes after it is answered, and leaves no trace
function takeLate(draft: Draft, input: Input): void {
  if (input.kind === 'journal') takeJournalAnswer(draft, input.answer);
  if (input.kind === 'end-written') takeEndWritten(draft, input.answer);
  if (input.kind === 'envelope') answer(draft, input.envelope.id, 0, 'the run has ended');
  if (input.kind === 'alarm') delete draft.state.alarm;
  if (input.kind === 'zone') draft.state.zone = input.zone;
  if (input.kind === 'start') resume(draft);
}

// a run that continues as new comes here with its events already begun
function start(draft: Draft): void {
  if (draft.state.seq > 0) return resume(draft);
  const { input } = draft.state;
  const { author, by } = input.startedBy;
  emit(draft, 'run-started', undefined, {
    name: input.plan.name,
    goal: input.plan.goal,
    nodes: input.plan.nodes.length,
    author,
    by,
    home: input.home,
  });
  for (const i of draft.graph.order) if (nodeAt(draft, i).status === 'pending' && nodeAt(draft, i).unmet === 0) startNode(draft, i);
}

function resume(draft: Draft): void {
  draft.state.zone = 'free';
  delete draft.state.alarm;
}

// what follows from any input, in this order: starts, announcements, end, journal, roll-over, timer, memo
function conclude(draft: Draft): void {
  admit(draft);
  if (draft.state.decisions.length > 0) refreshDecisions(draft);
  const ending = proceedToEnd(draft);
  const { state } = draft;
  if (hasSettled(state) && state.suspended !== undefined) dismissSuspended(draft, 'the run has ended');
  // what a run says when it has settled is written with its result
  if (state.rules < 2 || !hasSettled(state)) flush(draft, ending || state.phase !== 'open' || stateWord(state) === 'waiting');
  finishUp(draft);
  rollOver(draft);
  setAlarm(draft);
  remember(draft);
}

function rollOver(draft: Draft): void {
  const { state } = draft;
  if (state.zone === 'free' || !mayRoll(state.phase) || state.inFlight > 0 || state.journal.inFlight !== undefined) return;
  draft.effects.push({ kind: 'continue-as-new', id: `roll/${state.seq}` });
}

function afterDefect(state: RunState, input: Input, now: number, message: string): Decision {
  const draft = openDraft(state, now);
  try {
    foldDefect(draft, input, message);
    conclude(draft);
  } catch (second) {
    return endByDefect(state, now, `${message}; then ${messageOf(second)}`);
  }
  return decisionOf(draft);
}

function foldDefect(draft: Draft, input: Input, message: string): void {
  const found = input.kind === 'result' || input.kind === 'lost' ? findFlight(draft, input.dispatch) : undefined;
  if (found) {
    releaseSlot(draft, found.i);
    return settle(draft, found.i, { status: 'failed', outcome: 'defect', detail: message });
  }
  if (input.kind === 'envelope') {
    const command = input.envelope.commands[0]?.command ?? 'command';
    refuse(draft, input.envelope.author, command, `defect: ${message}`, input.envelope.by);
    return answer(draft, input.envelope.id, 0, `defect: ${message}`);
  }
  throw new Error(message);
}

// the state itself is broken: the run ends with the message rather than fail its task for ever (case O-45)
function endByDefect(state: RunState, now: number, message: string): Decision {
  const draft = openDraft(state, now);
  draft.state.phase = 'over';
  draft.state.endedAt = now;
  emit(draft, 'run-settled', undefined, { state: 'failed', outcome: 'defect', detail: message });
  const nodes: [] = [];
  const result = { schema_version: 3 as const, run_id: state.input.run, state: 'failed' as const, ok: false, nodes };
  draft.effects.push({ kind: 'end', id: 'end', cancelled: false, result });
  return decisionOf(draft);
}

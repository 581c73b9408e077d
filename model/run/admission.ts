// Which ready nodes are dispatched now: slots, locks, and what holds the whole run (run.md, Slots, executors, locks).

import { editNode, list, nodeAt, specAt, type Draft } from './draft.js';
import { emit } from './emit.js';
import { orderFor } from './orders.js';
import { settle } from './settlement.js';
import type { RunState } from './state.js';

/** Dispatches longer than this are not begun in the zone `short`: they would keep the run from continuing as new. */
const SHORT_MS = 600_000;

/** Why nothing new is dispatched, in words for a person; undefined when nothing holds the run. */
export function heldBecause(state: RunState): string | undefined {
  if (state.phase === 'cancelling') return 'the run is being cancelled';
  const { journal } = state;
  if (journal.lost || journal.refused !== undefined) return `the journal cannot be written: ${journal.refused ?? 'refused'}`;
  if (journal.away) return `home ${state.input.home ?? ''} does not answer: is a worker running there?`;
  return undefined;
}

/** Dispatches ready nodes, in plan order, while slots are free. */
export function admit(draft: Draft): void {
  const { state } = draft;
  if (state.phase !== 'open' || state.queue.length === 0 || heldBecause(state) !== undefined) return;
  // at the first moment with nothing in flight the run continues as new; nothing may start into that moment
  if (state.zone === 'drain' || (state.zone !== 'free' && state.inFlight === 0)) return;
  let at = 0;
  while (state.inFlight < state.input.plan.concurrency && at < state.queue.length) {
    const i = state.queue[at] as number;
    if (mayStart(draft, i)) dispatch(draft, i, at);
    else at += 1;
  }
}

function mayStart(draft: Draft, i: number): boolean {
  const spec = specAt(draft, i);
  if (draft.state.zone === 'short' && spec.timeoutMs > SHORT_MS) return false;
  return spec.lock.every((name) => draft.state.locks[name] === undefined);
}

function dispatch(draft: Draft, i: number, at: number): void {
  const { state } = draft;
  const n = nodeAt(draft, i).n + 1;
  list(draft, 'queue').splice(at, 1);
  const effect = tryOrder(draft, i, n);
  if (effect === undefined) return;
  const spec = specAt(draft, i);
  if (spec.lock.length > 0) state.locks = { ...state.locks, ...Object.fromEntries(spec.lock.map((name) => [name, i])) };
  state.inFlight += 1;
  Object.assign(editNode(draft, i), {
    status: 'running',
    n,
    startedAt: draft.now,
    attempt: 1,
    flight: flightOf(state, effect.order.id, effect.queue),
  });
  delete editNode(draft, i).notes;
  emit(draft, 'node-dispatched', i, { dispatch: effect.order.id, attempt: 1, attempts: effect.order.limits.attempts });
  draft.effects.push(effect);
}

// a queue of one host tells where the dispatch runs before it says so itself
function flightOf(state: RunState, id: string, queue: string): { id: string; attempt: number; host?: string } {
  const host = /\/host\/([^/]+)\//.exec(queue.slice(state.input.fleet.length))?.[1];
  return { id, attempt: 1, ...(host === undefined ? {} : { host }) };
}

// a prompt that cannot be composed fails its node, not the run
function tryOrder(draft: Draft, i: number, n: number): ReturnType<typeof orderFor> | undefined {
  try {
    return orderFor(draft, i, n);
  } catch (error) {
    editNode(draft, i).status = 'pending';
    settle(draft, i, { status: 'failed', outcome: 'defect', detail: `its dispatch could not be composed: ${messageOf(error)}` });
    return undefined;
  }
}

/** The words of anything thrown. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}

// How a node settles, and what that sets free. `startNode` is the one answer to "this node is free to start".

import { beginWaiting, closeDecision, endWaiting } from './decisions.js';
import { editNode, nodeAt, removeFrom, list, specAt, type Draft } from './draft.js';
import { emit } from './emit.js';
import { conditionHolds, dequeue, enqueue, propagate } from './frontier.js';
import { usageView } from './usage-view.js';
import { addNote } from './notes.js';
import type { NodeState, Note } from './state.js';

export interface Settlement {
  status: 'done' | 'failed' | 'cancelled';
  outcome?: string;
  detail?: string;
}

/** The node reaches a status it will not leave by itself: said once, then everything below hears of it. */
export function settle(draft: Draft, i: number, settlement: Settlement): void {
  const { status, outcome, detail } = settlement;
  leave(draft, i);
  const node = editNode(draft, i);
  Object.assign(node, { status, outcome, detail, settledAt: draft.now });
  delete node.flight;
  draft.state.settled += 1;
  const usage = node.usage === undefined ? undefined : usageView(node.usage, node.costUnknown);
  emit(draft, 'node-settled', i, { status, outcome, detail, usage });
  // what can no longer start was counted below when that became known
  if (!node.dead || draft.state.rules < 2) propagate(draft, i, status === 'done', startNode);
  closeDecision(draft, specAt(draft, i).id);
}

function leave(draft: Draft, i: number): void {
  const { status } = nodeAt(draft, i);
  if (status === 'ready') dequeue(draft, i);
  if (status === 'waiting') endWaiting(draft, i);
}

/** All needs of the node are as its condition wants them: it waits, is in line, or settles without a dispatch. */
export function startNode(draft: Draft, i: number): void {
  const node = nodeAt(draft, i);
  const spec = specAt(draft, i);
  // what holds it will call again when it lets go; a run that ends starts nothing
  if (node.held > 0 || draft.state.phase !== 'open') return;
  if (!conditionHolds(spec.startIf, node)) return settle(draft, i, { status: 'done', outcome: 'skipped', detail: 'no need of it failed' });
  if (spec.kind === 'human') return waitForPerson(draft, i);
  if (!spec.expectsNoDiff) return enqueue(draft, i);
  emit(draft, 'node-ready', i);
  settle(draft, i, { status: 'done', outcome: 'no-changes', detail: 'expectsNoDiff: nothing was dispatched' });
}

function waitForPerson(draft: Draft, i: number): void {
  beginWaiting(draft, i);
  const ahead = draft.state.input.attestAhead.find((one) => one.node === specAt(draft, i).id);
  if (ahead) attestNode(draft, i, { choice: ahead.choice, by: draft.state.input.startedBy.by, note: undefined });
}

interface Attestation {
  choice: string | undefined;
  by: string | undefined;
  note: string | undefined;
}

/** A person says that what a human node asks for has happened. @returns why not, when it is refused */
export function attestNode(draft: Draft, i: number, attestation: Attestation): string | undefined {
  const spec = specAt(draft, i);
  const choices = spec.human?.choices ?? [];
  const names = choices.map((choice) => choice.name).join(', ');
  const wanted = attestation.choice ?? (choices.length === 1 ? choices[0]?.name : undefined);
  if (wanted === undefined) return `${spec.id} has several choices, say which: ${names}`;
  const choice = choices.find((one) => one.name === wanted);
  if (!choice) return `${spec.id} has no choice ${wanted}; it has: ${names}`;
  const { by, note } = attestation;
  emit(draft, 'human-attested', i, { choice: choice.name, by, note });
  if (note !== undefined) editNode(draft, i).output = note;
  if (choice.rejects === true) settle(draft, i, { status: 'failed', outcome: 'rejected', detail: rejection(choice.name, by, note) });
  else settle(draft, i, { status: 'done', outcome: choice.name });
  return undefined;
}

function rejection(choice: string, by: string | undefined, note: string | undefined): string {
  return `${choice}${by === undefined ? '' : ` by ${by}`}${note === undefined ? '' : `: ${note}`}`;
}

/** Human nodes whose time has run out fall to what their plan says. */
export function expireDeadlines(draft: Draft): void {
  for (const i of draft.state.waiting.slice()) {
    const deadline = nodeAt(draft, i).deadline;
    if (deadline === undefined || deadline > draft.now) continue;
    const onDeadline = specAt(draft, i).human?.onDeadline ?? 'fail';
    if (onDeadline === 'fail') settle(draft, i, { status: 'failed', outcome: 'deadline', detail: 'nobody answered before its deadline' });
    else attestNode(draft, i, { choice: onDeadline, by: 'deadline', note: undefined });
  }
}

/** Gives back what a dispatch held: its slot and its locks. */
export function releaseSlot(draft: Draft, i: number): void {
  draft.state.inFlight -= 1;
  const locks = specAt(draft, i).lock;
  if (locks.length === 0) return;
  const held = { ...draft.state.locks };
  for (const name of locks) if (held[name] === i) delete held[name];
  draft.state.locks = held;
}

/** Back to pending with its attempts reset, as if it had never started; the caller counts the frontier anew. */
export function resetNode(draft: Draft, i: number, note: Note | undefined): void {
  const node: NodeState = editNode(draft, i);
  node.status = 'pending';
  for (const key of ['outcome', 'detail', 'output', 'attempt', 'startedAt', 'settledAt', 'session', 'sessionUsage', 'flight'] as const)
    delete node[key];
  if (note !== undefined) addNote(draft, i, note);
  removeFrom(list(draft, 'waiting'), i);
}

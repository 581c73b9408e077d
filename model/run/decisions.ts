// Decision points: what a person holds back, announced when it begins, when what it holds changes, and once when it ends (run.md).

import { below } from './graph.js';
import { editNode, insertSorted, list, nodeAt, removeFrom, specAt, type Draft } from './draft.js';
import { emit } from './emit.js';
import { isEnd } from './frontier.js';
import type { OpenDecision } from './state.js';

/** How many ids a document lists of what a decision holds; the count is always exact. */
export const MAX_LISTED = 100;

/** A human node became ready: it waits now, costs no slot, and is on record before the run may call itself waiting. */
export function beginWaiting(draft: Draft, i: number): void {
  const spec = specAt(draft, i);
  const node = editNode(draft, i);
  node.status = 'waiting';
  node.readyAt = draft.now;
  node.startedAt = draft.now;
  if (spec.human?.deadlineMs !== undefined && spec.human.onDeadline !== 'keep-waiting') node.deadline = draft.now + spec.human.deadlineMs;
  insertSorted(list(draft, 'waiting'), i);
  emit(draft, 'node-ready', i);
  openDecision(draft, spec.id, 'human', i);
}

/** The node no longer waits, however that came. */
export function endWaiting(draft: Draft, i: number): void {
  removeFrom(list(draft, 'waiting'), i);
  delete editNode(draft, i).deadline;
}

/** Announces what a node id or `surface:N` holds back. */
export function openDecision(draft: Draft, reference: string, kind: OpenDecision['kind'], node: number): void {
  const unblocks = heldBy(draft, node);
  list(draft, 'decisions').push({ reference, kind, unblocks, since: draft.now });
  emit(draft, 'decision-pending', node, { reference, kind, ...listed('unblocks', unblocks) });
}

/** Says that it no longer holds; `released` are those it held which can go on now. */
export function closeDecision(draft: Draft, reference: string): void {
  const open = list(draft, 'decisions');
  const at = open.findIndex((decision) => decision.reference === reference);
  const decision = open[at];
  if (!decision) return;
  open.splice(at, 1);
  const released = decision.unblocks.filter((id) => canGoOn(draft, id));
  emit(draft, 'decision-cleared', nodeOfReference(draft, reference), { reference, kind: decision.kind, ...listed('released', released) });
}

/** Says again what is held where that has changed; called after what can make nodes impossible or possible again. */
export function refreshDecisions(draft: Draft): void {
  draft.state.decisions.forEach((decision, at) => {
    const node = nodeOfReference(draft, decision.reference);
    if (node === undefined) return;
    const unblocks = heldBy(draft, node);
    if (sameList(unblocks, decision.unblocks)) return;
    list(draft, 'decisions')[at] = { ...decision, unblocks };
    emit(draft, 'decision-pending', node, { reference: decision.reference, kind: decision.kind, ...listed('unblocks', unblocks) });
  });
}

function heldBy(draft: Draft, node: number): string[] {
  const open = below(draft.graph, node, (i) => isEnd(nodeAt(draft, i)) || nodeAt(draft, i).dead);
  return open.map((i) => specAt(draft, i).id);
}

function canGoOn(draft: Draft, id: string): boolean {
  const i = draft.graph.index.get(id);
  return i !== undefined && !isEnd(nodeAt(draft, i)) && !nodeAt(draft, i).dead;
}

function nodeOfReference(draft: Draft, reference: string): number | undefined {
  const surface = /^surface:(\d+)$/.exec(reference);
  if (!surface) return draft.graph.index.get(reference);
  return draft.state.surfaces.find((one) => one.id === Number(surface[1]))?.node;
}

function listed(key: string, ids: string[]): Record<string, string[] | number | undefined> {
  return { [key]: ids.slice(0, MAX_LISTED), [`${key}_count`]: ids.length > MAX_LISTED ? ids.length : undefined };
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}

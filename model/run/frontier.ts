// Readiness by counters: what a settlement makes ready, and what it makes impossible (run.md, Statuses).
// Every walk is a loop over a list: a chain of 10,000 must not be 10,000 calls deep.

import type { StartIf } from '../plan/compiled.js';
import { editNode, insertSorted, list, nodeAt, removeFrom, specAt, type Draft } from './draft.js';
import { emit } from './emit.js';
import type { NodeState } from './state.js';

/** A node that just became free to start; `settlement.ts` says what that means for its kind. */
export type OnReady = (draft: Draft, node: number) => void;

interface Ended {
  node: number;
  done: boolean;
}

/** Tells everything below `node` that it ended. `done` false: it failed, was cancelled, parked, or can no longer start. */
export function propagate(draft: Draft, node: number, done: boolean, onReady: OnReady): void {
  const todo: Ended[] = [{ node, done }];
  for (let at = 0; at < todo.length; at++) {
    const ended = todo[at] as Ended;
    for (const next of draft.graph.dependents[ended.node] ?? []) {
      const effect = countNeed(draft, next, ended.done);
      if (effect === 'dead') todo.push({ node: next, done: false });
      if (effect === 'free') onReady(draft, next);
    }
  }
}

function countNeed(draft: Draft, i: number, done: boolean): 'dead' | 'free' | 'nothing' {
  if (nodeAt(draft, i).status !== 'pending') return 'nothing';
  const node = editNode(draft, i);
  if (!done) node.lost += 1;
  if (specAt(draft, i).startIf === 'needs-done') {
    if (!done) return die(node);
    node.unmet -= 1;
    return node.unmet === 0 && !node.dead ? 'free' : 'nothing';
  }
  node.unmet -= 1;
  return node.unmet === 0 ? 'free' : 'nothing';
}

function die(node: NodeState): 'dead' | 'nothing' {
  if (node.dead) return 'nothing';
  node.dead = true;
  return 'dead';
}

/** True when the node's condition is met by how its needs ended; an `any-failed` node without a failure is skipped. */
export function conditionHolds(startIf: StartIf, node: Readonly<NodeState>): boolean {
  return startIf !== 'any-failed' || node.lost > 0;
}

/** Puts a node in line for a dispatch. `node-ready` is said once each time it becomes ready. */
export function enqueue(draft: Draft, i: number, announce = true): void {
  const node = editNode(draft, i);
  node.status = 'ready';
  node.readyAt = draft.now;
  insertSorted(list(draft, 'queue'), i);
  if (announce) emit(draft, 'node-ready', i);
}

/** Takes a ready node out of the line again. */
export function dequeue(draft: Draft, i: number): void {
  removeFrom(list(draft, 'queue'), i);
  editNode(draft, i).status = 'pending';
}

/**
 * Counts everything that has not started anew, after a node went back to pending. What stays ready is not announced again.
 * Linear in nodes and needs; only rare commands come here.
 */
export function recount(draft: Draft, onReady: OnReady): void {
  const wasReady = new Set(draft.state.queue);
  draft.state.nodes.forEach((node, i) => {
    if (node.status === 'pending' || node.status === 'ready') resetCounters(draft, i);
  });
  draft.state.queue = [];
  draft.owned.add('queue');
  const released = (on: Draft, i: number): void => (wasReady.has(i) ? enqueue(on, i, false) : onReady(on, i));
  // only what had ended before: a node that is settled on the way tells its dependents itself
  const ended = draft.graph.order.filter((i) => isEnd(nodeAt(draft, i)));
  const free = draft.graph.order.filter((i) => nodeAt(draft, i).status === 'pending' && nodeAt(draft, i).unmet === 0);
  for (const i of ended) propagate(draft, i, nodeAt(draft, i).status === 'done', released);
  for (const i of free) released(draft, i);
}

function resetCounters(draft: Draft, i: number): void {
  const node = editNode(draft, i);
  Object.assign(node, { status: 'pending', unmet: draft.graph.needs[i]?.length ?? 0, lost: 0, dead: false });
}

/** A status that a node does not leave by itself. */
export function isEnd(node: Readonly<NodeState>): boolean {
  return node.status === 'done' || node.status === 'failed' || node.status === 'cancelled' || node.status === 'parked';
}

// Copy on write: the working copy in which one input is decided. What is not touched is shared with the old state, which stays as it was.

import type { Envelope } from '../event.js';
import type { NodeSpec } from '../plan/compiled.js';
import { graphOf, type Graph } from './graph.js';
import type { Effect } from './inputs.js';
import type { NodeState, RunState } from './state.js';

export interface Draft {
  readonly state: RunState;
  readonly graph: Graph;
  /** ms, workflow time */
  readonly now: number;
  readonly effects: Effect[];
  readonly events: Envelope[];
  /** indexes of node records that are already copies */
  readonly copied: Set<number>;
  /** lists that are already copies */
  readonly owned: Set<ListKey>;
}

type ListKey = 'queue' | 'waiting' | 'surfaces' | 'decisions' | 'answers' | 'recent';

/** Opens a working copy of `state` for an input that arrives at `now`. */
export function openDraft(state: RunState, now: number): Draft {
  const copy: RunState = { ...state, nodes: state.nodes.slice() };
  return { state: copy, graph: graphOf(state.input.plan.nodes), now, effects: [], events: [], copied: new Set(), owned: new Set() };
}

/** The node's record, for reading. */
export function nodeAt(draft: Draft, i: number): Readonly<NodeState> {
  const node = draft.state.nodes[i];
  if (!node) throw new Error(`no node at ${i}`);
  return node;
}

/** The node's record, for writing. */
export function editNode(draft: Draft, i: number): NodeState {
  const node = nodeAt(draft, i);
  if (draft.copied.has(i)) return node;
  const copy: NodeState = node.flight ? { ...node, flight: { ...node.flight } } : { ...node };
  draft.state.nodes[i] = copy;
  draft.copied.add(i);
  return copy;
}

/** The node as the plan has it. */
export function specAt(draft: Draft, i: number): NodeSpec {
  const spec = draft.graph.nodes[i];
  if (!spec) throw new Error(`no node at ${i}`);
  return spec;
}

/** A list of the state, for writing. */
export function list<K extends ListKey>(draft: Draft, key: K): RunState[K] {
  if (!draft.owned.has(key)) {
    draft.state[key] = draft.state[key].slice() as RunState[K];
    draft.owned.add(key);
  }
  return draft.state[key];
}

/** Inserts into an ascending list of indexes, once. */
export function insertSorted(numbers: number[], value: number): void {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  if (numbers[low] !== value) numbers.splice(low, 0, value);
}

/** Removes a value from a list, if it is there. */
export function removeFrom(numbers: number[], value: number): void {
  const at = numbers.indexOf(value);
  if (at >= 0) numbers.splice(at, 1);
}

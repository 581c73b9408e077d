// Who holds a node back: found by one pass over the graph when somebody asks, never kept in the state.

import { graphOf } from './graph.js';
import type { NodeState, RunState } from './state.js';

/** How many causes of one node are named. */
const MAX_CAUSES = 20;

/**
 * For each node that cannot start: what holds it, transitively: node ids that wait for a person, failed, were cancelled or parked,
 * and `surface:N` references. Empty for the others.
 */
export function causesOf(state: RunState): readonly (readonly string[])[] {
  const graph = graphOf(state.input.plan.nodes);
  const surfaces = surfacesByNode(state);
  const causes: string[][] = state.nodes.map(() => []);
  for (const i of graph.order) {
    const node = state.nodes[i] as NodeState;
    if (node.status !== 'pending') continue;
    const found = new Set<string>(surfaces.get(i) ?? []);
    for (const need of graph.needs[i] ?? [])
      collect(found, state.nodes[need] as NodeState, graph.nodes[need]?.id ?? '', causes[need] as string[], surfaces.get(need));
    causes[i] = [...found].slice(0, MAX_CAUSES);
  }
  return causes;
}

function collect(found: Set<string>, need: NodeState, id: string, inherited: string[], surfaces: string[] | undefined): void {
  if (need.status === 'waiting' || need.status === 'failed' || need.status === 'cancelled' || need.status === 'parked') found.add(id);
  for (const cause of inherited) found.add(cause);
  for (const surface of surfaces ?? []) found.add(surface);
}

function surfacesByNode(state: RunState): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const surface of state.surfaces) {
    if (!surface.blocking || surface.answeredAt !== undefined || surface.node === undefined) continue;
    found.set(surface.node, [...(found.get(surface.node) ?? []), `surface:${surface.id}`]);
  }
  return found;
}

/** The status as people see it: a pending node that something holds is blocked. */
export function shownStatus(node: Readonly<NodeState>, causes: readonly string[]): NodeState['status'] | 'blocked' {
  return node.status === 'pending' && (causes.length > 0 || node.dead) ? 'blocked' : node.status;
}

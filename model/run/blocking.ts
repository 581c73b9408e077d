// Who holds a node back: found by one pass over the graph when somebody asks, never kept in the state.

import { isEnd } from './frontier.js';
import { graphOf, type Graph } from './graph.js';
import type { NodeState, RunState } from './state.js';

/** How many causes of one node are named. */
const MAX_CAUSES = 20;

/**
 * For each node that cannot start: what holds it, transitively: node ids that wait for a person, failed, were cancelled or parked,
 * and `surface:N` references. Empty for the others.
 */
export function causesOf(state: RunState): readonly (readonly string[])[] {
  const graph = graphOf(state.input.plan.nodes);
  const surfaces = surfacesAbove(state, graph);
  const causes: string[][] = state.nodes.map(() => []);
  for (const i of graph.order) {
    if (state.nodes[i]?.status !== 'pending') continue;
    const found = new Set<string>(surfaces[i] ?? []);
    const patient = state.rules >= 2 && graph.nodes[i]?.startIf !== 'needs-done';
    for (const need of graph.needs[i] ?? []) {
      const node = state.nodes[need] as NodeState;
      if (!(patient && isOver(node))) collect(found, node, graph.nodes[need]?.id ?? '', causes[need] as string[]);
    }
    causes[i] = [...found].slice(0, MAX_CAUSES);
  }
  return causes;
}

// `needs-settled` and `any-failed` are held by nothing that has ended, nor by what can no longer start
function isOver(node: Readonly<NodeState>): boolean {
  return node.dead || isEnd(node);
}

function collect(found: Set<string>, need: Readonly<NodeState>, id: string, inherited: string[]): void {
  if (need.status === 'waiting' || (isEnd(need) && need.status !== 'done')) found.add(id);
  for (const cause of inherited) found.add(cause);
}

/** For each node the blocking surfaces on it and on everything above it, settled or not: all of them hold it. */
function surfacesAbove(state: RunState, graph: Graph): readonly (readonly string[])[] {
  const open = state.surfaces.filter((surface) => surface.blocking && surface.answeredAt === undefined);
  if (open.length === 0) return [];
  const above: string[][] = state.nodes.map(() => []);
  for (const { node, id } of open) if (node !== undefined) above[node]?.push(`surface:${id}`);
  for (const i of graph.order) {
    const inherited = (graph.needs[i] ?? []).flatMap((need) => above[need] ?? []);
    if (inherited.length > 0) above[i] = [...new Set([...(above[i] ?? []), ...inherited])].slice(0, MAX_CAUSES);
  }
  return above;
}

/** The status as people see it: a pending node that something holds is blocked. */
export function shownStatus(node: Readonly<NodeState>, causes: readonly string[]): NodeState['status'] | 'blocked' {
  return node.status === 'pending' && (causes.length > 0 || node.dead) ? 'blocked' : node.status;
}

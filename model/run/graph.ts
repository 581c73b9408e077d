// The static index of a plan's nodes, made once per list of nodes and kept beside it, never in the state.

import type { NodeSpec } from '../plan/compiled.js';

export interface Graph {
  readonly nodes: readonly NodeSpec[];
  readonly index: ReadonlyMap<string, number>;
  /** for each node, the nodes that need it, plan order */
  readonly dependents: readonly (readonly number[])[];
  /** for each node, the indexes of its needs within this run */
  readonly needs: readonly (readonly number[])[];
  /** all indexes, needs before what needs them */
  readonly order: readonly number[];
}

const known = new WeakMap<readonly NodeSpec[], Graph>();

/** The index of `nodes`; the same array gives the same index. */
export function graphOf(nodes: readonly NodeSpec[]): Graph {
  const found = known.get(nodes);
  if (found) return found;
  const graph = build(nodes);
  known.set(nodes, graph);
  return graph;
}

function build(nodes: readonly NodeSpec[]): Graph {
  const index = new Map(nodes.map((node, i) => [node.id, i]));
  const dependents: number[][] = nodes.map(() => []);
  const needs = nodes.map((node, i) => {
    const own = new Set<number>();
    for (const need of node.needs) own.add(indexIn(index, need.node, node.id));
    for (const need of own) dependents[need]?.push(i);
    return [...own];
  });
  return { nodes, index, dependents, needs, order: topological(needs, dependents) };
}

function indexIn(index: ReadonlyMap<string, number>, need: string, node: string): number {
  const i = index.get(need);
  if (i === undefined) throw new Error(`node ${node} needs ${need}, which is not in the plan`);
  return i;
}

/** Everything below `from` that is not excluded, each once, nearest first. */
export function below(graph: Graph, from: number, skip: (i: number) => boolean): number[] {
  const seen = new Set<number>([from]);
  const found: number[] = [];
  const todo = [from];
  for (let at = 0; at < todo.length; at++) {
    for (const next of graph.dependents[todo[at] as number] ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      todo.push(next);
      if (!skip(next)) found.push(next);
    }
  }
  return found;
}

function topological(needs: readonly number[][], dependents: readonly number[][]): number[] {
  const left = needs.map((own) => own.length);
  const order = left.flatMap((n, i) => (n === 0 ? [i] : []));
  for (let at = 0; at < order.length; at++) {
    for (const next of dependents[order[at] as number] ?? []) if (--(left[next] as number) === 0) order.push(next);
  }
  if (order.length !== needs.length) throw new Error('the plan has a cycle');
  return order;
}

// What `${{ }}` reads of a run: the given inputs, the goal, and what nodes have become.

import { nodesRead } from '../plan/expressions.js';
import type { DispatchValues, NeedValues } from './dispatch.js';
import { graphOf } from './graph.js';
import { present } from '../plan/present.js';
import type { RunState } from './state.js';

/**
 * The values for node `i`: those of its needs, and of nodes further up that `text` reads.
 * @param text what will be rendered with them
 */
export function valuesFor(state: RunState, i: number, text: string): DispatchValues {
  const { nodes, inputs, goal } = state.input.plan;
  const needs: Record<string, NeedValues> = {};
  for (const need of readBy(state, i, text)) {
    const { output, outcome } = state.nodes[need] ?? {};
    needs[nodes[need]?.id ?? ''] = present({ output, outcome });
  }
  return { inputs, needs, run: { id: state.input.run, ...present({ goal }) } };
}

function readBy(state: RunState, i: number, text: string): Iterable<number> {
  const { needs, index } = graphOf(state.input.plan.nodes);
  const own = needs[i] ?? [];
  if (!text.includes('${{')) return own;
  return new Set([...own, ...nodesRead(text, (id) => index.has(id)).map((id) => index.get(id) as number)]);
}

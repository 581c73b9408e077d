// What a run would start, in which order: the waves in which needs allow it. Starts nothing, asks nobody.

import type { CompiledPlan, NodeSpec } from '../../model/plan/compiled.js';

export interface PlannedNode {
  id: string;
  kind: NodeSpec['kind'];
  needs: string[];
  /** what would be called: the agent, the program */
  with?: string;
}

/** Each wave starts when all before it is done; within one, up to `concurrency` at once. A plan that was read has no cycle. */
export function waves(plan: CompiledPlan): PlannedNode[][] {
  const level = new Map<string, number>();
  const byId = new Map(plan.nodes.map((node) => [node.id, node]));
  for (const node of inOrder(plan, byId)) {
    const below = node.needs.filter(({ run }) => run === undefined).map((need) => level.get(need.node) ?? 0);
    level.set(node.id, below.length === 0 ? 0 : Math.max(...below) + 1);
  }
  const rows: PlannedNode[][] = [];
  for (const node of plan.nodes) (rows[level.get(node.id) ?? 0] ??= []).push(planned(node));
  return rows;
}

/** Needs before those that need them (Kahn), without recursion: a chain of 10,000 is a plan too. */
function inOrder(plan: CompiledPlan, byId: ReadonlyMap<string, NodeSpec>): NodeSpec[] {
  const unmet = new Map(plan.nodes.map((node) => [node.id, node.needs.filter(({ node: id }) => byId.has(id)).length]));
  const dependents = new Map<string, NodeSpec[]>();
  for (const node of plan.nodes) {
    for (const need of node.needs) {
      const known = dependents.get(need.node);
      if (known === undefined) dependents.set(need.node, [node]);
      else known.push(node);
    }
  }
  const order = plan.nodes.filter(({ id }) => unmet.get(id) === 0);
  for (let next = 0; next < order.length; next++) {
    for (const dependent of dependents.get(order[next]!.id) ?? []) {
      const left = (unmet.get(dependent.id) ?? 0) - 1;
      unmet.set(dependent.id, left);
      if (left === 0) order.push(dependent);
    }
  }
  return order;
}

function planned({ id, kind, needs, agent, run, human }: NodeSpec): PlannedNode {
  const by =
    agent !== undefined
      ? [agent.use, agent.model].filter((part) => part !== undefined).join(' ')
      : (run?.argv?.join(' ') ?? run?.script ?? human?.ask);
  return { id, kind, needs: needs.map((need) => need.node), ...(by !== undefined && { with: by }) };
}

/** Lines for people. */
export function dryRunLines(plan: CompiledPlan): string[] {
  const rows = waves(plan);
  const lines = [`plan ${plan.name}: ${plan.nodes.length} nodes, ${plan.concurrency} at once; nothing was started`];
  for (const [index, row] of rows.entries()) {
    lines.push(`${index + 1}.`);
    for (const node of row) {
      const after = node.needs.length === 0 ? '' : `  after ${node.needs.join(', ')}`;
      lines.push(`   ${node.id}  ${node.kind}${node.with === undefined ? '' : `: ${node.with}`}${after}`);
    }
  }
  return lines;
}

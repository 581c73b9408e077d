// What steps of a change need, what a change is pinned to, and which session an agent continues.

import { checkCircles } from './check-needs.js';
import { didYouMean } from './nearest.js';
import type { Outline, OutlineNode } from './outline.js';
import { asList, asRecord, asText, comesBefore, entriesOf, textsOf } from './outline.js';
import type { Path, Problem } from './problem.js';
import type { AgentSite } from './sites.js';
import { agentSites } from './sites.js';

export function checkChanges(plan: Outline): Problem[] {
  return [
    ...plan.nodes.flatMap((node) => [...checkSteps(plan, node), ...checkPins(plan, node)]),
    ...agentSites(plan).flatMap((site) => checkResume(plan, site)),
  ];
}

type StepNeeds = Map<string, { node: string; path: Path }[]>;

/** The needs of each step, those that name other steps of the same node. */
function stepNeeds(node: OutlineNode): StepNeeds {
  const steps = entriesOf(asRecord(node.raw.change)?.steps);
  return new Map(
    steps.map(([id, raw]) => {
      const needs = textsOf(asRecord(raw)?.needs, [...node.path, 'change', 'steps', id, 'needs']);
      return [id, needs.map(({ text, path }) => ({ node: text, path }))];
    }),
  );
}

function checkSteps(plan: Outline, node: OutlineNode): Problem[] {
  const steps = stepNeeds(node);
  const problems = [...steps].flatMap(([id, needs]) =>
    needs.flatMap((need): Problem[] => {
      if (need.node === id) return [{ path: need.path, message: 'a step cannot need itself' }];
      // something outside its node is ignored for order (plan.md), but it has to be something
      const known = steps.has(need.node) || plan.byId.has(need.node.split('@')[0] ?? '');
      if (known) return [];
      return [
        {
          path: need.path,
          message: `no step \`${need.node}\` in \`${node.id}\`, and no such node`,
          ...didYouMean(need.node, steps.keys()),
        },
      ];
    }),
  );
  return [...problems, ...checkCircles(steps)];
}

function checkPins(plan: Outline, node: OutlineNode): Problem[] {
  return asList(asRecord(node.raw.change)?.pins).flatMap((pin, index): Problem[] => {
    const id = asText(asRecord(pin)?.node);
    if (id === undefined) return [];
    const path = [...node.path, 'change', 'pins', index, 'node'];
    const other = plan.byId.get(id);
    if (other === undefined) return [{ path, message: `no node \`${id}\``, ...didYouMean(id, plan.byId.keys()) }];
    if (id === node.id) return [{ path, message: 'a change cannot be pinned to itself' }];
    const lands = other.kinds.includes('change') || other.kinds.includes('panel');
    return lands ? [] : [{ path, message: `\`${id}\` is no change: nothing of it lands` }];
  });
}

/** `resume` names an agent that is certainly over: an earlier node, or an earlier step of the same change. */
function checkResume(plan: Outline, { fields, path, node, step }: AgentSite): Problem[] {
  const wanted = asText(fields.resume);
  if (wanted === undefined) return [];
  const at = [...path, 'resume'];
  if (node === undefined) return [{ path: at, message: 'a state of a machine has no earlier node to continue' }];
  if (step !== undefined && stepsBefore(plan.byId.get(node)!, step).has(wanted)) return [];
  const other = plan.byId.get(wanted);
  if (other === undefined) return [{ path: at, message: `no node \`${wanted}\``, ...didYouMean(wanted, plan.byId.keys()) }];
  if (!other.kinds.includes('agent')) return [{ path: at, message: `\`${wanted}\` is no agent node: it has no session to continue` }];
  if (comesBefore(plan, wanted, node)) return [];
  return [{ path: at, message: `\`${wanted}\` does not come before \`${node}\``, hint: `add it to the needs of \`${node}\`` }];
}

/** Steps that a step waits for, directly or not. */
export function stepsBefore(node: OutlineNode, step: string): Set<string> {
  const steps = stepNeeds(node);
  const seen = new Set<string>();
  const open = [step];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const need of steps.get(at) ?? []) {
      if (!steps.has(need.node) || seen.has(need.node)) continue;
      seen.add(need.node);
      open.push(need.node);
    }
  }
  return seen;
}

// What a plan asks for that will not be held, and is no reason to refuse it: said by `sluice check` and `sluice run`.

import { agentSites } from './sites.js';
import { asText, outline } from './outline.js';
import { resolveFor } from './check-config.js';
import type { CompiledPlan, NodeSpec } from './compiled.js';
import type { PlanContext } from './context.js';
import { limitsOf } from './limits.js';
import type { Plan, PlanNode } from './schema.js';

export function warningsOf(plan: Plan, compiled: CompiledPlan, context: PlanContext): string[] {
  return [...compiled.nodes.flatMap((node) => nodeWarnings(node, plan.nodes[node.id]!, context)), ...agentNotes(plan, context)];
}

function nodeWarnings(node: NodeSpec, written: PlanNode, { config }: PlanContext): string[] {
  const warnings: string[] = [];
  const say = (text: string) => warnings.push(`${node.id}: ${text}`);
  const personas = Object.keys(config.personas ?? {});
  if (node.persona !== undefined && !personas.includes(node.persona))
    say(`persona \`${node.persona}\` is not in the config: it is only a label`);
  if (node.kind === 'human' && written.timeout !== undefined)
    say('a timeout is of a dispatch and does nothing here; `human.deadline` says how long to wait');
  if (node.kind === 'human' && written.executor !== undefined) say('an executor does nothing here: nothing is dispatched');
  const agent = node.agent;
  if (agent === undefined) return warnings;
  const limits = limitsOf(agent.use, config);
  if (agent.maxTurns !== undefined && !limits.maxTurns) say(`${agent.use} has no limit on turns: maxTurns is not held`);
  if (agent.maxCost !== undefined && !limits.maxCost) say(`${agent.use} cannot be held to a cost: maxCost does not stop a turn`);
  return warnings;
}

/** What `resolveAgent` says beside its answer, e.g. that a model was left out. */
function agentNotes(plan: Plan, context: PlanContext): string[] {
  return agentSites(outline(plan)).flatMap(({ fields, node, step }) => {
    const answer = resolveFor(plan, { use: asText(fields.use), model: asText(fields.model), flag: context.agentFlag }, context);
    const place = [node, step].filter((part) => part !== undefined).join('@');
    return answer.ok && answer.note !== undefined ? [`${place}: ${answer.note}`] : [];
  });
}

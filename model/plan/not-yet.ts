// What the plan file can say and this release does not run. Such a plan is checked whole and not started: nothing that
// somebody wrote is ignored in silence. A line goes when its feature comes.

import type { CompiledPlan } from './compiled.js';
import type { PlanContext } from './context.js';
import { limitsOf } from './limits.js';
import type { Path, Problem } from './problem.js';
import type { Plan, PlanNode } from './schema.js';

/** Every such place, empty when the plan can be started; each message begins "not yet:". */
export function notYet(plan: Plan, compiled: CompiledPlan, context: PlanContext): Problem[] {
  const found: Problem[] = [];
  const say = (feature: string, ...path: Path) => found.push({ path, message: `not yet: ${feature}` });
  if (plan.budget !== undefined) say('a budget for the run', 'budget');
  if (plan.defaults?.onQuota === 'wait') say(WAIT, 'defaults', 'onQuota');
  for (const [id, node] of Object.entries(plan.nodes)) {
    for (const { feature, path } of ofNode(node)) say(feature, 'nodes', id, ...path);
  }
  for (const { id, agent } of compiled.nodes) {
    if (agent?.output !== undefined && !limitsOf(agent.use, context.config).output)
      say(`output with ${agent.use}`, 'nodes', id, 'agent', 'output');
  }
  return found;
}

const WAIT = 'onQuota: wait';

interface Feature {
  feature: string;
  path: Path;
}

function ofNode(node: PlanNode): Feature[] {
  const found: Feature[] = [];
  for (const kind of ['change', 'panel', 'ticket'] as const) {
    if (node[kind] !== undefined) found.push({ feature: `${kind} nodes`, path: [kind] });
  }
  if (node.onQuota === 'wait') found.push({ feature: WAIT, path: ['onQuota'] });
  node.needs?.forEach((need, index) => {
    if (typeof need === 'string') return;
    if (need.run !== undefined) found.push({ feature: 'needs of another run', path: ['needs', index, 'run'] });
    if (need.until !== undefined) found.push({ feature: 'needs until: landed', path: ['needs', index, 'until'] });
  });
  return [...found, ...ofHuman(node.human)];
}

const HUMAN_FEATURES = { who: 'who may answer', notAuthor: 'notAuthor', fields: 'fields in an answer', escalate: 'escalate' } as const;

function ofHuman(human: PlanNode['human']): Feature[] {
  if (human === undefined || typeof human === 'string') return [];
  const sendsBack = (human.choices ?? []).flatMap((choice, index) =>
    typeof choice !== 'string' && choice.sendsBack !== undefined
      ? [{ feature: 'sendsBack', path: ['human', 'choices', index, 'sendsBack'] }]
      : [],
  );
  const others = (Object.keys(HUMAN_FEATURES) as (keyof typeof HUMAN_FEATURES)[])
    .filter((name) => human[name] !== undefined)
    .map((name) => ({ feature: HUMAN_FEATURES[name], path: ['human', name] }));
  return [...sendsBack, ...others];
}

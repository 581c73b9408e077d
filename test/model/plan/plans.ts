// Contexts and shorthand for the tests of plans.

import { checkPlan } from '../../../model/plan/check.js';
import { compilePlan } from '../../../model/plan/compile.js';
import type { Compiled } from '../../../model/plan/compile.js';
import type { PlanContext } from '../../../model/plan/context.js';
import { formatPath } from '../../../model/plan/problem.js';

export const CONTEXT: PlanContext = {
  config: {
    agents: { mine: { adapter: 'command', argv: ['./agent.sh'] } },
    executors: { gpu: { labels: { size: 'large' } }, cloud: {} },
    personas: { terse: 'Be terse. ${{ run.id }}' },
    defaults: { agent: 'mine' },
  },
  inputs: {},
  promptFiles: {},
  fallbackName: 'plan',
};

/** Every problem as `path: message (hint)`. */
export function problemsOf(raw: unknown, context: Partial<PlanContext> = {}): string[] {
  const checked = checkPlan(raw, { ...CONTEXT, ...context });
  if (checked.ok) return [];
  return checked.problems.map(({ path, message, hint }) => `${formatPath(path)}: ${message}${hint === undefined ? '' : ` (${hint})`}`);
}

export function compiled(raw: unknown, context: Partial<PlanContext> = {}): Compiled {
  const whole = { ...CONTEXT, ...context };
  const checked = checkPlan(raw, whole);
  if (!checked.ok) throw new Error(`refused: ${problemsOf(raw, context).join('; ')}`);
  return compilePlan(checked.plan, whole);
}

/** A plan of these nodes, and more at its top level. */
export function plan(nodes: Record<string, unknown>, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { version: 1, name: 'p', nodes, ...more };
}

// Everything that can be wrong with a plan, told at once (plan.md, Refusals): the form by the schema,
// the graph by the files beside this one.

import { checkChanges } from './check-change.js';
import { checkConfig } from './check-config.js';
import { checkExpressions } from './check-expressions.js';
import { checkFiles } from './check-files.js';
import { checkHumans } from './check-human.js';
import { checkIds } from './check-ids.js';
import { checkKinds } from './check-kinds.js';
import { checkMachines } from './check-machine.js';
import { checkNeeds } from './check-needs.js';
import type { PlanContext } from './context.js';
import { outline } from './outline.js';
import type { Outline } from './outline.js';
import type { Problem } from './problem.js';
import { schemaProblems } from './schema-problems.js';
import type { Plan } from './schema.js';
import { Plan as PlanSchema } from './schema.js';
import { fileSites } from './sites.js';

export type CheckedPlan = { ok: true; plan: Plan } | { ok: false; problems: Problem[] };

/**
 * Reads a plan's value.
 * @param raw what the file says, as plain JSON
 * @returns the plan as written, or every problem of it, in no order
 */
export function checkPlan(raw: unknown, context: PlanContext): CheckedPlan {
  const parsed = PlanSchema.safeParse(raw);
  const plan = outline(raw);
  const problems = [
    ...(parsed.success ? [] : schemaProblems(parsed.error.issues, raw)),
    ...checkIds(plan),
    ...checkKinds(plan),
    ...checkNeeds(plan),
    ...checkHumans(plan),
    ...checkChanges(plan),
    ...checkMachines(plan),
    ...checkExpressions(plan, promptTexts(plan, context)),
    ...checkFiles(plan),
    ...checkConfig(plan, context),
  ];
  return parsed.success && problems.length === 0 ? { ok: true, plan: parsed.data } : { ok: false, problems };
}

function promptTexts(plan: Outline, { promptFiles }: PlanContext) {
  return fileSites(plan).flatMap((site) => {
    const text = site.what === 'promptFile' && Object.hasOwn(promptFiles, site.value) ? promptFiles[site.value] : undefined;
    return text === undefined ? [] : [{ ...site, text }];
  });
}

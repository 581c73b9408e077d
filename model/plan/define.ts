// Plans written in TypeScript: the same value as a plan file, with types. Checks nothing; `checkPlan` does, as for any plan.

import type { z } from 'zod';
import type { Agent, Program } from './schema-agent.js';
import type { Change } from './schema-change.js';
import type { Human } from './schema-human.js';
import type { Ticket } from './schema-machine.js';
import type { Panel } from './schema-panel.js';
import type { Plan, PlanNode } from './schema.js';

type Kind = 'agent' | 'run' | 'human' | 'change' | 'panel' | 'ticket';
/** Fields that every kind of node takes. */
export type Common = Omit<PlanNode, Kind>;

/** A whole plan; `export default definePlan({…})`. */
export function definePlan(plan: Plan): Plan {
  return plan;
}

/** A turn of a coding agent. */
export function agent(work: Agent, common: Common = {}): PlanNode {
  return { ...common, agent: work };
}

/** A program: a list is argv without a shell, text is a bash script. */
export function program(work: Program, common: Common = {}): PlanNode {
  return { ...common, run: work };
}

/** Something a person has to attest. */
export function human(work: Human, common: Common = {}): PlanNode {
  return { ...common, human: work };
}

/** Work in a repository. */
export function change(work: z.infer<typeof Change>, common: Common = {}): PlanNode {
  return { ...common, change: work };
}

/** A competition. */
export function panel(work: z.infer<typeof Panel>, common: Common = {}): PlanNode {
  return { ...common, panel: work };
}

/** A node driven by a state machine of the plan. */
export function ticket(work: z.infer<typeof Ticket>, common: Common = {}): PlanNode {
  return { ...common, ticket: work };
}

// The plan file: the one definition of it. Types, JSON Schema, reference page and every refusal of form come from here
// (plan.md). What is wrong between nodes is told by check.ts.

import { z } from 'zod';
import type { JsonValue } from '../json.js';
import { Agent, Permissions, Program } from './schema-agent.js';
import { Change } from './schema-change.js';
import { Name, Reference, Timeout, byId, strict } from './schema-fields.js';
import { Human } from './schema-human.js';
import { Machine, Target, Ticket } from './schema-machine.js';
import { Panel } from './schema-panel.js';

/** The version of the plan file that this build reads. */
export const PLAN_VERSION = 1;

/** What says what kind a node is; exactly one of them. */
export const NODE_KINDS = ['agent', 'run', 'human', 'change', 'panel', 'ticket'] as const;

const text = z.string().min(1, 'must not be empty');
const atLeastOne = z.int().min(1, 'must be at least 1');
const OnQuota = z.enum(['fail', 'wait']).describe('what a refusal by an account limit does; default fail');

const Need = z.union([
  Reference,
  strict({
    node: Reference,
    until: z.literal('landed').optional().describe('wait for the change to reach its base'),
    run: text.optional().describe('a node of another run'),
    optional: z.boolean().optional().describe('of another run: it need not exist'),
  }),
]);

export const PlanNode = strict({
  agent: Agent.optional(),
  run: Program.optional(),
  human: Human.optional(),
  change: Change.optional(),
  panel: Panel.optional(),
  ticket: Ticket.optional(),
  needs: z.array(Need).optional().describe('what has to be settled before it starts'),
  if: z.enum(['needs-done', 'needs-settled', 'any-failed']).optional().describe('when it may start; default needs-done'),
  title: text.optional(),
  labels: z.record(z.string(), z.string()).optional(),
  persona: text.optional().describe('a prompt preamble of the config; also a label'),
  executor: text.optional().describe('a named place of the config where its dispatches run'),
  timeout: Timeout.optional().describe('per dispatch; default 45m'),
  lock: z
    .union([text, z.array(text)])
    .optional()
    .describe('names held from dispatch to settlement'),
  expectsNoDiff: z.boolean().optional().describe('settles done/no-changes without a dispatch'),
  onQuota: OnQuota.optional(),
  notify: z.boolean().optional(),
}).meta({ id: 'Node', oneOf: NODE_KINDS.map((kind) => ({ required: [kind] })) });
export type PlanNode = z.infer<typeof PlanNode>;

const PlanInputField = strict({
  type: z.enum(['string', 'number', 'boolean']).optional().describe('default string'),
  required: z.boolean().optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  description: z.string().optional(),
});
export type PlanInputField = z.infer<typeof PlanInputField>;

const versionError = (input: unknown) =>
  input === undefined
    ? `is required: write \`version: ${PLAN_VERSION}\``
    : `the plan says version ${JSON.stringify(input)}, this build reads version ${PLAN_VERSION}`;

/** At most as many dispatches at once: a server refuses 2,000 pending activities of one workflow. */
const MAX_CONCURRENCY = 1_000;

export const Plan = strict({
  version: z.literal(PLAN_VERSION, { error: (issue) => versionError(issue.input) }),
  name: Name.optional().describe("names runs: add-login becomes add-login-3f9k; default: the file's name"),
  goal: z.string().optional().describe('every prompt may read it as ${{ run.goal }}'),
  concurrency: z
    .int()
    .min(1, 'must be at least 1')
    .max(MAX_CONCURRENCY, `must be at most ${MAX_CONCURRENCY}`)
    .optional()
    .describe('default 4'),
  inputs: byId(PlanInputField).optional(),
  defaults: strict({
    agent: text.optional(),
    model: text.optional(),
    timeout: Timeout.optional(),
    permissions: Permissions.optional(),
    executor: text.optional(),
    onQuota: OnQuota.optional(),
  }).optional(),
  budget: strict({
    costUsd: z.number().positive('must be above zero').optional(),
    tokens: atLeastOne.optional(),
    dispatches: atLeastOne.optional(),
  }).optional(),
  machines: byId(Machine).optional(),
  targets: z.array(Target).min(1, 'must not be empty').optional(),
  nodes: byId(PlanNode).meta({ minProperties: 1 }),
}).meta({ title: 'Sluice plan', description: 'A graph of work for coding agents, programs and people.' });
/** A plan as it is written. */
export type Plan = z.infer<typeof Plan>;

/** JSON Schema (draft 2020-12) of a plan as people write it, for editors: `sluice schema`, plan.schema.json. */
export function planJsonSchema(): JsonValue {
  return z.toJSONSchema(Plan, { io: 'input', target: 'draft-2020-12' }) as JsonValue;
}

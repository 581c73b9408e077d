// The compiled node as zod: what a command may bring into a running graph is parsed as strictly as a plan file (run.md, `add`, `edit`).

import { z } from 'zod';
import { isId } from '../ids.js';
import type { NodeSpec } from './compiled.js';

/** 90 days: longer than any dispatch, far below what a timer of the server takes */
const MAX_TIMEOUT_MS = 7_776_000_000;
const MAX_TEXT = 1_048_576;

const id = z.string().refine(isId, 'must be an id of a node: letters, digits, dots, dashes and underscores');
const text = z.string().max(MAX_TEXT);
const timeoutMs = z.int().positive().max(MAX_TIMEOUT_MS);

export const NeedSpec = z.strictObject({
  node: z.string().min(1).max(200),
  until: z.literal('landed').optional(),
  run: z.string().min(1).max(200).optional(),
  optional: z.boolean().optional(),
});

const Env = z.strictObject({ pass: z.array(z.string()), set: z.record(z.string(), z.string()) });

const Agent = z.strictObject({
  prompt: text,
  promptFile: z.string().optional(),
  use: z.string().min(1),
  model: z.string().optional(),
  maxTurns: z.int().positive().optional(),
  maxCost: z.number().positive().optional(),
  permissions: z.enum(['read', 'edit', 'full']),
  args: z.array(z.string()),
  env: Env,
  output: z.json().optional(),
  mustWork: z.boolean(),
  resume: z.string().optional(),
  dir: z.string().optional(),
});

const Program = z.strictObject({
  argv: z.array(z.string()).min(1).optional(),
  script: text.optional(),
  env: Env,
  dir: z.string().optional(),
  attempts: z.int().positive(),
  okCodes: z.array(z.int()),
  outputFile: z.string().optional(),
});

const Human = z.strictObject({
  ask: text,
  choices: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        rejects: z.boolean().optional(),
        sendsBack: z.string().optional(),
        rounds: z.int().positive().optional(),
      }),
    )
    .min(1),
  deadlineMs: z.int().positive().optional(),
  onDeadline: z.string(),
  fields: z.record(z.string(), z.json()).optional(),
  who: z.array(z.string()).min(1).optional(),
  notAuthor: z.boolean().optional(),
  escalate: z.array(z.strictObject({ afterMs: z.int().positive(), notify: z.string() })).optional(),
  while: z.enum(['waiting', 'blocked']),
});

/** A node of the kinds that this release runs. Exactly one of `agent`, `run`, `human`, that of its kind. */
export const NodeSpecSchema = z
  .strictObject({
    id,
    kind: z.enum(['agent', 'run', 'human']),
    title: z.string().optional(),
    labels: z.record(z.string(), z.string()),
    persona: z.string().optional(),
    needs: z.array(NeedSpec).max(10_000),
    startIf: z.enum(['needs-done', 'needs-settled', 'any-failed']),
    lock: z.array(z.string().min(1)),
    timeoutMs,
    executor: z.string().optional(),
    expectsNoDiff: z.boolean(),
    notify: z.boolean(),
    onQuota: z.enum(['wait', 'fail']),
    agent: Agent.optional(),
    run: Program.optional(),
    human: Human.optional(),
  })
  .refine((node) => ['agent', 'run', 'human'].every((kind) => (node[kind as 'run'] !== undefined) === (node.kind === kind)), {
    message: 'exactly the work of its kind must be given',
  });

/** Fields of a node that has not started, as `edit` may change them. Absent: as it was. */
export const EditFields = z
  .strictObject({
    title: z.string().optional(),
    prompt: text.optional(),
    model: z.string().optional(),
    use: z.string().min(1).optional(),
    maxTurns: z.int().positive().optional(),
    maxCost: z.number().positive().optional(),
    permissions: z.enum(['read', 'edit', 'full']).optional(),
    argv: z.array(z.string()).min(1).optional(),
    script: text.optional(),
    attempts: z.int().positive().optional(),
    ask: text.optional(),
    timeoutMs: timeoutMs.optional(),
    executor: z.string().optional(),
    lock: z.array(z.string().min(1)).optional(),
    labels: z.record(z.string(), z.string()).optional(),
  })
  .refine((fields) => Object.keys(fields).length > 0, { message: 'says nothing to change' });
export type EditFields = z.infer<typeof EditFields>;

/** A parsed node is a node of the engine: checked here, so that schema and type cannot part. */
export function nodeSpecOf(parsed: z.infer<typeof NodeSpecSchema>): NodeSpec {
  return parsed;
}

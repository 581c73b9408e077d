// The plan's form of a node that works in a repository (change.md).

import { z } from 'zod';
import { Agent, Program } from './schema-agent.js';
import { Argv, Duration, Env, Reference, Timeout, byId, strict } from './schema-fields.js';
import { Human } from './schema-human.js';

const text = z.string().min(1, 'must not be empty');
const atLeastOne = z.int().min(1, 'must be at least 1');

/** The kinds a step may be. */
export const STEP_KINDS = ['agent', 'run', 'human'] as const;

const Step = strict({
  agent: Agent.optional(),
  run: Program.optional(),
  human: Human.optional(),
  needs: z.array(Reference).optional().describe('steps before it; anything outside the node is ignored for order'),
  title: text.optional().describe('also the message of the commit that sluice makes of what it left'),
  timeout: Timeout.optional(),
  expectsNoDiff: z.boolean().optional(),
  persona: text.optional(),
  labels: z.record(z.string(), z.string()).optional(),
}).meta({ oneOf: STEP_KINDS.map((kind) => ({ required: [kind] })) });

export const Publish = strict({
  policy: z.enum(['none', 'push', 'merge', 'change-request']),
  forge: z.enum(['github', 'gitlab', 'bare']).optional().describe('default: told from the remote'),
  title: text.optional(),
  body: z.string().optional(),
  draftBody: strict({ agent: text.optional(), prompt: text }).optional().describe('an agent writes the body'),
  draft: z.boolean().optional(),
  reviewers: z.array(text).optional(),
  labels: z.array(text).optional(),
  merge: z.enum(['never', 'auto', 'when-green']).optional().describe('default never'),
  checks: strict({ timeout: Timeout.optional() }).optional(),
  attempts: atLeastOne.optional().describe('publications in all; default 3'),
});

const Criterion = strict({ file: text.optional(), run: Argv.optional(), absent: text.optional() });

const Workspace = strict({
  copy: z.array(text).optional(),
  link: z.array(text).optional(),
  run: z.array(Argv).optional().describe('setup commands'),
  ports: atLeastOne.optional().describe('free ports, given as SLUICE_PORT_1 and so on'),
  env: Env.optional(),
});

export const Change = strict({
  repo: text.optional().describe('a path in the project, or a clone URL; default .'),
  base: text.optional().describe("default: the remote's default branch"),
  branch: text.optional().describe('default: sluice/<run>-<node>'),
  agent: Agent.optional(),
  run: Program.optional(),
  steps: byId(Step).optional(),
  publish: Publish.optional(),
  criteria: z.array(Criterion).optional(),
  pins: z.array(strict({ node: Reference, kind: z.enum(['git']).optional() })).optional(),
  workspace: Workspace.optional(),
  follow: strict({ until: z.enum(['merged', 'approved']), rounds: atLeastOne.optional(), timeout: Duration.optional() }).optional(),
  keep: z.boolean().optional().describe('the worktree stays after settlement'),
  onCancel: z.enum(['keep', 'close']).optional().describe('close: a draft it opened is closed when the run is cancelled'),
}).meta({ id: 'Change', oneOf: ['steps', 'agent', 'run'].map((work) => ({ required: [work] })) });

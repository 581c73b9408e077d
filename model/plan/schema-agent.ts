// The plan's form of what an agent and a program are asked to do (plan.md, Fields of a node).

import { z } from 'zod';
import { Argv, Dir, Env, Reference, strict } from './schema-fields.js';

export const Permissions = z.enum(['read', 'edit', 'full']).describe('what the agent may do in its folder; default edit');

const positive = 'must be above zero';

export const AgentFields = strict({
  prompt: z.string().optional().describe('what the agent is asked; reads ${{ }}'),
  promptFile: z.string().min(1, 'must not be empty').optional().describe('a file with the prompt, relative to the project'),
  use: z.string().min(1, 'must not be empty').optional().describe('the adapter: a built-in one or one of the config'),
  model: z.string().min(1, 'must not be empty').optional(),
  maxTurns: z.int().min(1, 'must be at least 1: 0 would mean no turn at all').optional(),
  maxCost: z.number().positive(positive).optional().describe('USD'),
  permissions: Permissions.optional(),
  args: z.array(z.string()).optional().describe('more arguments for the CLI'),
  env: Env.optional(),
  output: z.record(z.string(), z.json()).optional().describe('JSON Schema that the last message must satisfy'),
  mustWork: z.boolean().optional().describe('a turn without a tool call and without a diff fails as no-work'),
  resume: Reference.optional().describe('an earlier node whose session is continued'),
  dir: Dir.optional(),
}).meta({ oneOf: [{ required: ['prompt'] }, { required: ['promptFile'] }] });
export type AgentFields = z.infer<typeof AgentFields>;

export const Agent = z
  .union([z.string(), AgentFields])
  .meta({ id: 'Agent', description: 'a turn of a coding agent: the prompt, or its fields' });
export type Agent = z.infer<typeof Agent>;

const exitCode = z.int().min(0, 'an exit code is 0 to 255').max(255, 'an exit code is 0 to 255');

export const ProgramFields = strict({
  argv: Argv.optional().describe('program and arguments, without a shell'),
  script: z.string().min(1, 'must not be empty').optional().describe('run under bash -euo pipefail -c'),
  env: Env.optional(),
  dir: Dir.optional(),
  attempts: z
    .int()
    .min(1, 'must be at least 1')
    .max(100, 'must be at most 100')
    .optional()
    .describe('tries in all, failures of any kind; default 1'),
  okCodes: z.array(exitCode).min(1, 'must not be empty').optional().describe('exit codes that are a success; default 0'),
  outputFile: z.string().min(1, 'must not be empty').optional().describe('its content is the output, instead of stdout; relative to dir'),
}).meta({ oneOf: [{ required: ['argv'] }, { required: ['script'] }] });
export type ProgramFields = z.infer<typeof ProgramFields>;

export const Program = z
  .union([z.string().min(1, 'must not be empty'), Argv, ProgramFields])
  .meta({ id: 'Program', description: 'a program: a list is argv without a shell, text is a bash script' });
export type Program = z.infer<typeof Program>;

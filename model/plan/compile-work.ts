// Agents and programs of a plan, written out. The agent is resolved here, so that a run never finds out late that there is none.

import type { AgentSpec, EnvSpec, ProgramSpec } from './compiled.js';
import { resolveFor } from './check-config.js';
import { normalDir } from './check-files.js';
import { present } from './present.js';
import type { PlanContext } from './context.js';
import { escapeExpressions } from './expressions.js';
import type { Agent, AgentFields, Program, ProgramFields } from './schema-agent.js';
import type { Plan } from './schema.js';

export function compileAgent(agent: Agent, persona: string | undefined, plan: Plan, context: PlanContext): AgentSpec {
  const fields: AgentFields = typeof agent === 'string' ? { prompt: agent } : agent;
  const { promptFile, maxTurns, maxCost, output, resume } = fields;
  const answer = resolveFor(plan, { use: fields.use, model: fields.model, flag: context.agentFlag }, context);
  if (!answer.ok) throw new Error(`unchecked agent: ${answer.reason}`);
  return {
    prompt: withPreamble(promptOf(fields, context), persona, context),
    use: answer.use,
    ...present({ promptFile, model: answer.model, maxTurns, maxCost, output, resume, dir: dirOf(fields.dir) }),
    permissions: fields.permissions ?? plan.defaults?.permissions ?? 'edit',
    args: fields.args ?? [],
    env: compileEnv(fields.env),
    mustWork: fields.mustWork ?? false,
  };
}

function promptOf({ prompt, promptFile }: AgentFields, { promptFiles }: PlanContext): string {
  const text = prompt ?? promptFiles[promptFile ?? ''];
  if (text === undefined) throw new Error(`unchecked prompt file: ${promptFile}`);
  return text;
}

/** A persona of the config stands before the prompt, as it is. */
function withPreamble(prompt: string, persona: string | undefined, { config }: PlanContext): string {
  const personas = config.personas ?? {};
  if (persona === undefined || !Object.hasOwn(personas, persona)) return prompt;
  return `${escapeExpressions(personas[persona] ?? '')}\n\n${prompt}`;
}

export function compileProgram(program: Program): ProgramSpec {
  const fields = programFields(program);
  const { argv, script, outputFile } = fields;
  return {
    ...present({ argv, script, dir: dirOf(fields.dir), outputFile }),
    env: compileEnv(fields.env),
    attempts: fields.attempts ?? 1,
    okCodes: fields.okCodes ?? [0],
  };
}

function programFields(program: Program): ProgramFields {
  if (typeof program === 'string') return { script: program };
  return Array.isArray(program) ? { argv: program } : program;
}

/** The project itself is no `dir` at all, so that `dir: .` and none are the same place. */
function dirOf(dir: string | undefined): string | undefined {
  const normal = dir === undefined ? '.' : normalDir(dir);
  return normal === '.' ? undefined : normal;
}

function compileEnv(env: AgentFields['env']): EnvSpec {
  if (!Array.isArray(env)) return { pass: [], set: { ...env } };
  const literals = env.filter((item) => item.includes('='));
  const pairs = literals.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)] as const);
  return { pass: env.filter((item) => !item.includes('=')), set: Object.fromEntries(pairs) };
}

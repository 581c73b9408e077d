// What a plan names outside itself: adapters, executors, and the values of its inputs.

import { resolveAgent } from '../agent/resolve.js';
import type { PlanContext } from './context.js';
import { limitsOf } from './limits.js';
import { didYouMean } from './nearest.js';
import type { Outline, Raw } from './outline.js';
import { asRecord, asText } from './outline.js';
import type { Path, Problem } from './problem.js';
import { agentSites, seatSites } from './sites.js';

export function checkConfig(plan: Outline, context: PlanContext): Problem[] {
  return [...checkAgents(plan, context), ...checkSessions(plan, context), ...checkExecutors(plan, context), ...checkInputs(plan, context)];
}

function checkAgents(plan: Outline, context: PlanContext): Problem[] {
  const agents = agentSites(plan).map(({ fields, path }) => ({
    path,
    use: asText(fields.use),
    model: asText(fields.model),
    flag: context.agentFlag,
  }));
  // a competition of one agent with itself is nobody's wish: the flag does not reach seats
  const seats = seatSites(plan).map(({ path, use, model }) => ({ path, use, model, flag: undefined }));
  const faults = [...agents, ...seats].flatMap(({ path, ...question }) => {
    const answer = resolveFor(plan.raw, question, context);
    if (answer.ok) return [];
    return [{ path: question.use === undefined ? path : [...path, 'use'], reason: answer.reason, own: question.use !== undefined }];
  });
  return [
    ...faults.filter((fault) => fault.own).map(({ path, reason }) => ({ path, message: reason })),
    ...toldOnce(faults.filter((fault) => !fault.own)),
  ];
}

/** "No agent is named anywhere" is one fault of the plan: it is told where it is met first, with the number of places. */
function toldOnce(faults: { path: Path; reason: string }[]): Problem[] {
  const reasons = [...new Set(faults.map((fault) => fault.reason))];
  return reasons.map((reason) => {
    const places = faults.filter((fault) => fault.reason === reason);
    const more = places.length > 1 ? ` (here and in ${places.length - 1} more places)` : '';
    return { path: places[0]!.path, message: `${reason}${more}` };
  });
}

/** A conversation is kept by one CLI, and only some can go on with one. */
function checkSessions(plan: Outline, context: PlanContext): Problem[] {
  const sites = agentSites(plan);
  return sites.flatMap(({ fields, path }): Problem[] => {
    const earlier = fields.resume === undefined ? undefined : sites.find((site) => site.step === undefined && site.node === fields.resume);
    const [use, other] = [useOf(plan, fields, context), earlier && useOf(plan, earlier.fields, context)];
    if (use === undefined || other === undefined) return [];
    const at = [...path, 'resume'];
    if (use !== other)
      return [{ path: at, message: `\`${String(fields.resume)}\` is run by ${other}: ${use} cannot go on with its session` }];
    return limitsOf(use, context.config).resume ? [] : [{ path: at, message: `${use} cannot go on with a session` }];
  });
}

function useOf(plan: Outline, fields: Raw, context: PlanContext): string | undefined {
  const answer = resolveFor(plan.raw, { use: asText(fields.use), model: asText(fields.model), flag: context.agentFlag }, context);
  return answer.ok ? answer.use : undefined;
}

interface Question {
  use?: string | undefined;
  model?: string | undefined;
  flag?: string | undefined;
}

/** Asks `resolveAgent` with the plan's defaults and the config. */
export function resolveFor(raw: Raw, { use, model, flag }: Question, { config }: PlanContext) {
  const defaults = asRecord(raw.defaults) ?? {};
  const [defaultsAgent, defaultsModel] = [asText(defaults.agent), asText(defaults.model)];
  return resolveAgent({
    config,
    ...(flag === undefined ? {} : { flag }),
    ...(use === undefined ? {} : { use }),
    ...(model === undefined ? {} : { model }),
    ...(defaultsAgent === undefined ? {} : { defaultsAgent }),
    ...(defaultsModel === undefined ? {} : { defaultsModel }),
  });
}

function checkExecutors(plan: Outline, { config, knownExecutors }: PlanContext): Problem[] {
  const known = knownExecutors ?? Object.keys(config.executors ?? {});
  const named: { path: Path; name: unknown }[] = [
    { path: ['defaults', 'executor'], name: asRecord(plan.raw.defaults)?.executor },
    ...plan.nodes.map((node) => ({ path: [...node.path, 'executor'], name: node.raw.executor })),
  ];
  return named.flatMap(({ path, name }) => {
    if (typeof name !== 'string' || known.includes(name)) return [];
    const there = known.length === 0 ? 'the config has no `executors`' : `configured: ${known.join(', ')}`;
    return [{ path, message: `no executor \`${name}\` (${there})`, ...didYouMean(name, known) }];
  });
}

function checkInputs(plan: Outline, { inputs, inputsLater }: PlanContext): Problem[] {
  const unknown = Object.keys(inputs)
    .filter((name) => !plan.inputs.has(name))
    .map((name): Problem => ({
      path: ['inputs'],
      message: `--input ${name}: the plan declares no such input`,
      ...didYouMean(name, plan.inputs.keys()),
    }));
  const declared = [...plan.inputs].flatMap(([name, input]): Problem[] => {
    const path = ['inputs', name];
    const given = Object.hasOwn(inputs, name) ? inputs[name]! : undefined;
    if (given !== undefined)
      return isOfType(given, input.type) ? [] : [{ path, message: `--input ${name}: \`${given}\` is no ${String(input.type)}` }];
    if (input.default !== undefined) return checkDefault(input, path);
    if (input.required !== true || inputsLater === true) return [];
    return [{ path, message: 'this input is required', hint: `give --input ${name}=…` }];
  });
  return [...unknown, ...declared];
}

function checkDefault(input: Raw, path: Path): Problem[] {
  const type = asText(input.type) ?? 'string';
  if (typeof input.default === type || !['string', 'number', 'boolean'].includes(type)) return [];
  return [{ path: [...path, 'default'], message: `the default is no ${type}`, ...(type === 'string' ? { unquoted: true as const } : {}) }];
}

function isOfType(text: string, type: unknown): boolean {
  if (type === 'number') return text.trim() !== '' && Number.isFinite(Number(text));
  return type !== 'boolean' || text === 'true' || text === 'false';
}

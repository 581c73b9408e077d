// Which agent a node runs, and by what model (agents.md, Resolution). Decided when a plan is loaded, so that a run never finds out late.

import type { Config } from '../config.js';
import { BUILT_IN_AGENTS, findEntry } from './entry.js';

export { BUILT_IN_AGENTS, RUNNABLE_AGENTS } from './entry.js';

export interface AgentQuestion {
  /** `--agent` on the command line */
  flag?: string;
  /** the node's `use` */
  use?: string;
  /** the node's `model` */
  model?: string;
  config?: Config;
  /** the plan's `defaults.agent` and `defaults.model`, which outrank the config's */
  defaultsAgent?: string;
  defaultsModel?: string;
}

export type AgentAnswer =
  /** `note`: said to the person when a model was left out because it belongs to another agent */
  { ok: true; use: string; model?: string; note?: string } | { ok: false; reason: string };

/**
 * The agent of a node: the flag, else the node's `use`, else the agent of its model, else `defaults.agent` of plan, then config.
 * `model` of the answer is the name the CLI is given (`models.<model>.name`, else the word itself).
 * @returns a refusal that names every slot looked at when none is filled, or the slot whose name is unknown or cannot run yet
 */
export function resolveAgent(q: AgentQuestion): AgentAnswer {
  const model = q.model ?? q.defaultsModel ?? q.config?.defaults?.model;
  const slots = slotsOf(q, model);
  const chosen = slots.find((slot) => slot.value !== undefined);
  if (chosen?.value === undefined) return { ok: false, reason: nothingChosen(slots) };
  const found = findEntry(chosen.value, q.config);
  if (!found.ok) return { ok: false, reason: `${chosen.name}: ${found.reason}` };
  return withModel({ use: chosen.value, by: chosen.name }, q, model);
}

interface Slot {
  name: string;
  value: string | undefined;
}

function slotsOf(q: AgentQuestion, model: string | undefined): Slot[] {
  return [
    { name: '--agent', value: q.flag },
    { name: "the node's `use`", value: q.use },
    {
      name: model === undefined ? 'models.<model>.agent in the config (no model is given)' : `models.${model}.agent in the config`,
      value: mapped(q, model)?.agent,
    },
    { name: "the plan's defaults.agent", value: q.defaultsAgent },
    { name: "the config's defaults.agent", value: q.config?.defaults?.agent },
  ];
}

function mapped(q: AgentQuestion, model: string | undefined): { agent: string; name?: string } | undefined {
  const models = q.config?.models ?? {};
  return model !== undefined && Object.hasOwn(models, model) ? models[model] : undefined;
}

function nothingChosen(slots: Slot[]): string {
  const places = slots.map((slot) => slot.name).join(', ');
  return `no agent is named. Looked at, in this order: ${places}. Built in: ${BUILT_IN_AGENTS.join(', ')}`;
}

/**
 * A model that the config gives to another agent is never handed to this one: its name would mean nothing there. A node that
 * names both is refused as contradicting itself; where the flag or a default brought them together, the model is left out and said.
 */
function withModel(chosen: { use: string; by: string }, q: AgentQuestion, model: string | undefined): AgentAnswer {
  if (model === undefined) return { ok: true, use: chosen.use };
  const entry = mapped(q, model);
  if (entry === undefined || sameAdapter(entry.agent, chosen.use, q.config))
    return { ok: true, use: chosen.use, model: entry?.name ?? model };
  const clash = `model "${model}" belongs to agent ${entry.agent}, but ${chosen.by} is ${chosen.use}`;
  if (q.model !== undefined && q.flag === undefined) return { ok: false, reason: `${clash}: name one of the two` };
  return { ok: true, use: chosen.use, note: `${clash}: the model is left out` };
}

function sameAdapter(a: string, b: string, config: Config | undefined): boolean {
  if (a === b) return true;
  const [one, other] = [findEntry(a, config), findEntry(b, config)];
  return one.ok && other.ok && one.adapter === other.adapter;
}

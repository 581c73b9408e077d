// From the plan as written to the plan as run: short forms written out, defaults filled in, durations in milliseconds.
// Only for a plan that `checkPlan` has passed; what it cannot keep it says as a warning.

import { durationMs } from '../duration.js';
import { compileAgent, compileProgram } from './compile-work.js';
import { compileHuman } from './compile-human.js';
import type { CompiledPlan, Need, NodeSpec } from './compiled.js';
import type { PlanContext } from './context.js';
import { present } from './present.js';
import { implicitLock, sharedFolders } from './locks.js';
import { NODE_KINDS } from './schema.js';
import type { Plan, PlanInputField, PlanNode } from './schema.js';
import { warningsOf } from './warnings.js';

/** plan.md: dispatches at once */
const DEFAULT_CONCURRENCY = 4;
/** run.md: an agent that is not back after three quarters of an hour is not coming back; node and plan may say otherwise */
const DEFAULT_TIMEOUT_MS = 45 * 60_000;

export interface Compiled {
  plan: CompiledPlan;
  warnings: string[];
}

/** Total for checked plans; throws only where a check was left out (a defect). */
export function compilePlan(plan: Plan, context: PlanContext): Compiled {
  const ids = context.nodeOrder ?? Object.keys(plan.nodes);
  const nodes = ids.map((id) => compileNode(id, plan.nodes[id]!, plan, context));
  const { version, goal, concurrency, budget } = plan;
  const compiled: CompiledPlan = {
    version,
    name: plan.name ?? context.fallbackName,
    ...present({ goal }),
    concurrency: concurrency ?? DEFAULT_CONCURRENCY,
    inputs: inputsOf(plan.inputs ?? {}, context.inputs),
    ...(budget === undefined ? {} : { budget: present(budget) }),
    nodes,
  };
  return { plan: compiled, warnings: [...warningsOf(plan, compiled, context), ...sharedFolders(nodes)] };
}

function inputsOf(declared: Record<string, PlanInputField>, given: Readonly<Record<string, string>>): Record<string, string> {
  const values = Object.entries(declared).map(([name, input]) => [name, given[name] ?? input.default] as const);
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

function compileNode(id: string, node: PlanNode, plan: Plan, context: PlanContext): NodeSpec {
  const kind = NODE_KINDS.find((one) => node[one] !== undefined)!;
  const timeout = node.timeout ?? plan.defaults?.timeout;
  const work = workOf(node, plan, context);
  return {
    id,
    kind,
    ...present({ title: node.title, persona: node.persona }),
    labels: node.labels ?? {},
    needs: needsOf(node.needs ?? []),
    startIf: node.if ?? 'needs-done',
    lock: [...new Set([...[node.lock ?? []].flat(), ...implicitLock(work.agent)])],
    timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : durationMs(timeout),
    ...present({ executor: kind === 'human' ? undefined : executorOf(node, plan, context) }),
    expectsNoDiff: node.expectsNoDiff ?? false,
    notify: node.notify ?? true,
    onQuota: node.onQuota ?? plan.defaults?.onQuota ?? 'fail',
    ...work,
  };
}

function workOf(node: PlanNode, plan: Plan, context: PlanContext): Pick<NodeSpec, 'agent' | 'run' | 'human' | 'later'> {
  if (node.agent !== undefined) return { agent: compileAgent(node.agent, node.persona, plan, context) };
  if (node.run !== undefined) return { run: compileProgram(node.run) };
  if (node.human !== undefined) return { human: compileHuman(node.human) };
  return { later: node.change ?? node.panel ?? node.ticket };
}

/** The same need twice is one need. */
function needsOf(needs: NonNullable<PlanNode['needs']>): Need[] {
  const long = needs.map((need): Need => (typeof need === 'string' ? { node: need } : { node: need.node, ...present(need) }));
  return long.filter(
    (need, index) => long.findIndex((one) => one.node === need.node && one.run === need.run && one.until === need.until) === index,
  );
}

/** The node's own, else the first rule of the config whose labels match, else the plan's default (run.md, Slots). */
function executorOf(node: PlanNode, plan: Plan, { config }: PlanContext): string | undefined {
  if (node.executor !== undefined) return node.executor;
  const labels = node.labels ?? {};
  const rule = Object.entries(config.executors ?? {}).find(([, executor]) => {
    const wanted = Object.entries(executor.labels ?? {});
    return wanted.length > 0 && wanted.every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value);
  });
  return rule?.[0] ?? plan.defaults?.executor;
}

// From a ready node to the order of a dispatch: its prompt, its queue, its limits.

import { dispatchId, queues } from '../ids.js';
import { render } from '../plan/expressions.js';
import type { AgentSpec, NodeSpec, ProgramSpec } from '../plan/compiled.js';
import type { AgentWork, DispatchInput, DispatchValues, ProgramWork } from './dispatch.js';
import type { SessionRef } from './session.js';
import { nodeAt, specAt, type Draft } from './draft.js';
import type { Effect } from './inputs.js';
import { withNotes } from './notes.js';
import type { Note, RunState } from './state.js';
import { valuesFor } from './values.js';

type DispatchEffect = Extract<Effect, { kind: 'dispatch' }>;

/** ms a continued session's host has to take it up (run.md, Dispatches) */
const CONTINUE_WITHIN_MS = 600_000;

/** The effect that dispatches node `i` as its dispatch number `n`. */
export function orderFor(draft: Draft, i: number, n: number): DispatchEffect {
  const spec = specAt(draft, i);
  const values = valuesFor(draft.state, i, spec.agent?.prompt ?? '');
  const session = sessionFor(draft, spec);
  const order: DispatchInput = {
    run: draft.state.input.run,
    id: dispatchId(spec.id, n),
    node: spec.id,
    project: draft.state.input.project,
    work: workFor(spec, values, nodeAt(draft, i).notes),
    limits: limitsFor(draft.state, spec),
    values,
    ...session,
  };
  return effectFor(draft.state, spec, order);
}

/** The same dispatch once more, on the host that holds its session. */
export function continuedOrder(draft: Draft, i: number, n: number, session: SessionRef): DispatchEffect {
  const { order, ...effect } = orderFor(draft, i, n);
  const queue = queues.hostAgents(draft.state.input.fleet, session.host);
  return {
    ...effect,
    order: { ...order, session, continued: true },
    queue,
    id: `${order.id}/elsewhere`,
    scheduleToStartMs: CONTINUE_WITHIN_MS,
  };
}

function effectFor(state: RunState, spec: NodeSpec, order: DispatchInput): DispatchEffect {
  const { graceMs, heartbeatTimeoutMs } = state.input.settings;
  return {
    kind: 'dispatch',
    id: order.id,
    queue: queueFor(state, spec, order.session),
    order,
    // the activity keeps the timeout itself; this only ends what no worker ends (agents.md, One activity)
    startToCloseMs: spec.timeoutMs + 2 * graceMs + 60_000,
    heartbeatTimeoutMs,
    ...(order.session === undefined ? {} : { scheduleToStartMs: CONTINUE_WITHIN_MS }),
  };
}

function queueFor(state: RunState, spec: NodeSpec, session: SessionRef | undefined): string {
  const { fleet, home } = state.input;
  if (session) return queues.hostAgents(fleet, session.host);
  if (spec.executor !== undefined) return queues.executor(fleet, spec.executor);
  if (spec.kind === 'agent') return home === undefined ? queues.agents(fleet) : queues.hostAgents(fleet, home);
  return home === undefined ? queues.programs(fleet) : queues.hostPrograms(fleet, home);
}

function sessionFor(draft: Draft, spec: NodeSpec): Pick<DispatchInput, 'session' | 'sessionUsage' | 'continued'> {
  const from = spec.agent?.resume === undefined ? undefined : draft.graph.index.get(spec.agent.resume);
  const node = from === undefined ? undefined : nodeAt(draft, from);
  if (!node?.session) return {};
  return { session: node.session, continued: true, ...(node.sessionUsage ? { sessionUsage: node.sessionUsage } : {}) };
}

function workFor(spec: NodeSpec, values: DispatchValues, notes: readonly Note[] | undefined): AgentWork | ProgramWork {
  if (spec.agent) return agentWork(spec.agent, values, notes);
  if (spec.run) return programWork(spec.run);
  throw new Error(`node ${spec.id} is of kind ${spec.kind}, which has no dispatch`);
}

function agentWork(agent: AgentSpec, values: DispatchValues, notes: readonly Note[] | undefined): AgentWork {
  const { use: adapter, promptFile: _read, resume: _placed, ...rest } = agent;
  return { ...rest, kind: 'agent', adapter, prompt: withNotes(render(agent.prompt, values), notes) };
}

function programWork(program: ProgramSpec): ProgramWork {
  const { attempts: _limit, ...rest } = program;
  return { ...rest, kind: 'run' };
}

function limitsFor(state: RunState, spec: NodeSpec): DispatchInput['limits'] {
  const { graceMs, resultGraceMs, heartbeatMs, quietMs, agentAttempts, backoffMs, backoffMaxMs, maxDeaths } = state.input.settings;
  const attempts = spec.run ? spec.run.attempts : agentAttempts;
  return { timeoutMs: spec.timeoutMs, graceMs, resultGraceMs, heartbeatMs, quietMs, attempts, backoffMs, backoffMaxMs, maxDeaths };
}

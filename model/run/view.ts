// The documents that queries answer, derived from the state when somebody asks.

import type { Envelope } from '../event.js';
import type { Usage } from '../agent/events.js';
import { heldBecause } from './admission.js';
import { causesOf, shownStatus } from './blocking.js';
import { MAX_LISTED } from './decisions.js';
import { iso } from './emit.js';
import { stateWord } from './ending.js';
import { graphOf } from './graph.js';
import { actionOf } from './result-of.js';
import type { NodeState, OpenDecision, RunState } from './state.js';
import { surfaceView } from './surfaces.js';
import { sumUsage, usageView } from './usage-view.js';
import type { NodeView, StatusView, SurfaceView, WaitingView } from './views.js';
import { STATUSES, type Status } from './words.js';

/** `status` lists at most this many nodes; `nodes` pages through all. */
const MAX_OPEN = 500;

/** Where the run stands. Linear in nodes and needs. */
export function statusView(state: RunState): StatusView {
  const { input } = state;
  const causes = causesOf(state);
  const held = heldBecause(state);
  const open = state.nodes.flatMap((node, i) => (isOpen(node, causes[i] ?? []) ? [i] : []));
  return {
    run_id: input.run,
    name: input.plan.name,
    ...given('goal', input.plan.goal),
    state: stateWord(state),
    ...given('held', held),
    started_at: iso(state.startedAt),
    ...given('ended_at', state.endedAt === undefined ? undefined : iso(state.endedAt)),
    seq: state.seq,
    counts: countsOf(state, causes),
    open: open.slice(0, MAX_OPEN).map((i) => nodeView(state, i, causes[i] ?? [])),
    waiting: state.decisions.map((decision) => waitingView(state, decision)),
    surfaces_open: state.surfaces.filter((surface) => surface.answeredAt === undefined).length,
    ...given('home', input.home),
    project_dir: input.project.dir,
    ...given('plan_file', input.planFile?.path),
    ...given('plan_sha256', input.planFile?.sha256),
    usage: runUsage(state),
  };
}

function given<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}

// neither done nor waiting for needs that are on their way
function isOpen(node: NodeState, causes: readonly string[]): boolean {
  const status = shownStatus(node, causes);
  return status !== 'done' && status !== 'pending';
}

function countsOf(state: RunState, causes: readonly (readonly string[])[]): Record<Status, number> {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  state.nodes.forEach((node, i) => (counts[shownStatus(node, causes[i] ?? [])] += 1));
  return counts;
}

function runUsage(state: RunState): StatusView['usage'] {
  let sum: Usage | undefined;
  let unknown = false;
  for (const node of state.nodes) {
    if (node.usage) sum = sumUsage(sum, node.usage);
    if (node.costUnknown) unknown = true;
  }
  return usageView(sum, unknown);
}

/** Nodes in plan order, from index `after`. `limit` is bounded to 500. */
export function nodesView(state: RunState, after: number, limit: number): NodeView[] {
  const causes = causesOf(state);
  const from = Math.max(0, after);
  const to = Math.min(state.nodes.length, from + Math.min(Math.max(1, limit), MAX_OPEN));
  const views: NodeView[] = [];
  for (let i = from; i < to; i++) views.push(nodeView(state, i, causes[i] ?? []));
  return views;
}

function nodeView(state: RunState, i: number, causes: readonly string[]): NodeView {
  const spec = graphOf(state.input.plan.nodes).nodes[i];
  const node = state.nodes[i];
  if (!spec || !node) throw new Error(`no node at ${i}`);
  const decision = state.decisions.find((one) => one.reference === spec.id);
  const status = shownStatus(node, causes);
  return {
    id: spec.id,
    kind: spec.kind,
    ...given('title', spec.title),
    status,
    ...given('outcome', node.outcome),
    ...given('detail', node.detail),
    needs: spec.needs.map((need) => need.node),
    ...(decision ? humanView(state, i, decision) : {}),
    ...(status === 'blocked' ? { blocked_by: [...causes] } : {}),
    ...given('dispatch', node.n === 0 ? undefined : `${spec.id}#${node.n}`),
    ...given('attempt', node.attempt),
    ...given('host', node.flight?.host ?? node.host),
    ...given('session_id', node.session?.id ?? node.flight?.session),
    ...given('deadline', node.deadline === undefined ? undefined : iso(node.deadline)),
    ...given('started_at', node.startedAt === undefined ? undefined : iso(node.startedAt)),
    ...given('settled_at', node.settledAt === undefined ? undefined : iso(node.settledAt)),
    ...given('usage', node.usage === undefined ? undefined : usageView(node.usage, node.costUnknown)),
  };
}

function humanView(state: RunState, i: number, decision: OpenDecision): Pick<NodeView, 'action' | 'choices' | 'unblocks'> {
  const choices = state.input.plan.nodes[i]?.human?.choices.map((choice) => choice.name) ?? [];
  return { action: actionOf(state, i), choices, unblocks: decision.unblocks.slice(0, MAX_LISTED) };
}

function waitingView(state: RunState, decision: OpenDecision): WaitingView {
  const { reference, kind, unblocks, since } = decision;
  const base = { reference, kind, unblocks: unblocks.slice(0, MAX_LISTED), since: iso(since) };
  const i = graphOf(state.input.plan.nodes).index.get(reference);
  if (i === undefined) return { ...base, action: state.surfaces.find((one) => `surface:${one.id}` === reference)?.message ?? '' };
  const { action = '', choices } = humanView(state, i, decision);
  const deadline = state.nodes[i]?.deadline;
  return { ...base, action, ...given('choices', choices), ...given('deadline', deadline === undefined ? undefined : iso(deadline)) };
}

/** Events after `after`, at most 500, as far as this execution still has them: unwritten ones and a tail. */
export function eventsView(state: RunState, after: number, limit: number): { events: Envelope[]; first: number; last: number } {
  const first = state.recent[0]?.seq ?? state.seq + 1;
  const from = Math.max(0, after + 1 - first);
  return { events: state.recent.slice(from, from + Math.min(Math.max(1, limit), 500)), first, last: state.seq };
}

/** All surfaces, oldest first. */
export function surfacesView(state: RunState): SurfaceView[] {
  const { nodes } = state.input.plan;
  return state.surfaces.map((surface) => surfaceView(surface, (i) => nodes[i]?.id ?? ''));
}

// What comes back of a dispatch: reports while it lasts, its result, or its loss; and how it is asked to end.

import type { Fact, Report } from '../messages.js';
import { continuedOrder } from './orders.js';
import type { DispatchResult } from './dispatch.js';
import { editNode, nodeAt, specAt, type Draft } from './draft.js';
import { emit } from './emit.js';
import { recount } from './frontier.js';
import type { Loss } from './inputs.js';
import { releaseSlot, resetNode, settle, startNode, type Settlement } from './settlement.js';
import type { InFlight, NodeState, Note } from './state.js';
import { raiseSurface } from './surfaces.js';
import { sumUsage } from './usage-view.js';
import { takeFromInside } from './inside.js';

type Intent = NonNullable<InFlight['intent']>;

interface Found {
  i: number;
  flight: Readonly<InFlight>;
}

/** The node whose dispatch `id` is out; undefined when it has settled, or never was. */
export function findFlight(draft: Draft, id: string): Found | undefined {
  const i = draft.graph.index.get(id.slice(0, id.lastIndexOf('#')).replace(/@.*$/, ''));
  if (i === undefined) return undefined;
  const flight = nodeAt(draft, i).flight;
  return flight?.id === id ? { i, flight } : undefined;
}

/** Takes what a dispatch reports, each fact once: ordered and deduplicated by attempt and `n`. */
export function takeReport(draft: Draft, report: Report): void {
  const found = findFlight(draft, report.dispatch);
  if (!found) return;
  const { reported } = found.flight;
  const known =
    reported !== undefined && (reported.attempt > report.attempt || (reported.attempt === report.attempt && reported.n >= report.n));
  if (known) return;
  flightAt(draft, found.i).reported = { attempt: report.attempt, n: report.n };
  for (const fact of report.facts) takeFact(draft, found.i, report.attempt, fact);
}

function takeFact(draft: Draft, i: number, attempt: number, fact: Fact): void {
  switch (fact.kind) {
    case 'started':
      announceStart(draft, i, fact.host, fact.session);
      return sendKill(draft, i);
    case 'stopping':
      flightAt(draft, i).host = fact.host;
      return sendKill(draft, i);
    case 'asked-again':
      return announceAttempt(draft, i, fact.attempt, fact.reason);
    case 'quiet':
      return quiet(draft, i, attempt, fact.sinceMs);
    case 'lively':
      return;
    case 'surface':
    case 'reply-taken':
    case 'note':
    case 'done':
    case 'refused':
      return takeFromInside(draft, i, fact);
    default:
      return fact satisfies never;
  }
}

function flightAt(draft: Draft, i: number): InFlight {
  const { flight } = editNode(draft, i);
  if (!flight) throw new Error(`node ${specAt(draft, i).id} has no dispatch out`);
  return flight;
}

function announceStart(draft: Draft, i: number, host: string, session: string | undefined): void {
  const flight = flightAt(draft, i);
  Object.assign(flight, { started: true, host, ...(session === undefined ? {} : { session }) });
  editNode(draft, i).host = host;
  emit(draft, 'dispatch-started', i, { dispatch: flight.id, host, session });
}

function announceAttempt(draft: Draft, i: number, attempt: number, reason: string | undefined): void {
  const flight = flightAt(draft, i);
  if (attempt <= flight.attempt) return;
  flight.attempt = attempt;
  editNode(draft, i).attempt = attempt;
  emit(draft, 'node-dispatched', i, { dispatch: flight.id, attempt, attempts: attemptsOf(draft, i), reason });
}

function attemptsOf(draft: Draft, i: number): number {
  return specAt(draft, i).run?.attempts ?? draft.state.input.settings.agentAttempts;
}

function quiet(draft: Draft, i: number, attempt: number, sinceMs: number): void {
  const seconds = Math.round(sinceMs / 1000);
  emit(draft, 'quiet-worker', i, { dispatch: flightAt(draft, i).id, attempt, quiet_s: seconds });
  const { id } = specAt(draft, i);
  raiseSurface(draft, { kind: 'quiet-worker', message: `${id} has shown no progress for ${seconds} s`, source: 'run', node: i });
}

/** A dispatch answered. */
export function takeResult(draft: Draft, dispatch: string, result: DispatchResult): void {
  const found = findFlight(draft, dispatch);
  if (!found) return;
  const { i, flight } = found;
  if (result.reached === 'elsewhere' && result.session && flight.intent === undefined) return continueElsewhere(draft, i, result);
  completeEvents(draft, i, result);
  record(draft, i, result);
  surfaceStop(draft, i, result);
  finish(draft, i, flight, settlementOf(result));
}

function continueElsewhere(draft: Draft, i: number, result: DispatchResult): void {
  const session = result.session;
  if (!session) return;
  flightAt(draft, i).host = session.host;
  draft.effects.push(continuedOrder(draft, i, nodeAt(draft, i).n, session));
}

// what no report brought is said now, in order (run.md, Dispatches)
function completeEvents(draft: Draft, i: number, result: DispatchResult): void {
  const started = flightAt(draft, i).started === true;
  if (!started && result.reached !== 'not-started') announceStart(draft, i, result.host, result.session?.id);
  result.attempts.forEach((_, at) => {
    if (at > 0) announceAttempt(draft, i, at + 1, result.attempts[at - 1]?.reason);
  });
}

function record(draft: Draft, i: number, result: DispatchResult): void {
  const node = editNode(draft, i);
  node.host = result.host;
  node.output = result.output;
  if (result.session) node.session = result.session;
  if (result.sessionUsage) node.sessionUsage = result.sessionUsage;
  addUsage(node, result);
}

function addUsage(node: NodeState, result: DispatchResult): void {
  if (!result.usage) return;
  node.usage = sumUsage(node.usage, result.usage);
  if (result.usage.costUsd === undefined) node.costUnknown = true;
}

function surfaceStop(draft: Draft, i: number, result: DispatchResult): void {
  if (!result.stop) return;
  const { id } = specAt(draft, i);
  const said = result.stop.said === undefined ? 'it said nothing' : `it said: ${result.stop.said}`;
  raiseSurface(draft, { kind: 'dispatch-interrupted', message: `${id} was asked to stop; ${said}`, source: 'run', node: i });
  if (result.stop.how === 'killed') {
    raiseSurface(draft, { kind: 'dispatch-killed', message: `${id} did not stop within its grace and was killed`, source: 'run', node: i });
  }
}

function settlementOf(result: DispatchResult): Settlement {
  const detail = result.detail === undefined ? {} : { detail: result.detail };
  if (result.ok) return { status: 'done', ...(result.outcome === undefined ? {} : { outcome: result.outcome }), ...detail };
  return { status: 'failed', outcome: result.outcome ?? 'task-failed', ...detail };
}

/** A dispatch did not answer: cancelled before it began, or nobody was there. */
export function takeLoss(draft: Draft, dispatch: string, loss: Loss): void {
  const found = findFlight(draft, dispatch);
  if (!found) return;
  finish(draft, found.i, found.flight, lossSettlement(loss), loss);
}

function lossSettlement(loss: Loss): Settlement {
  if (loss.kind === 'timeout' && loss.unstarted) {
    return { status: 'failed', outcome: 'interrupted', detail: `the host that holds its session did not take it up: ${loss.message}` };
  }
  if (loss.kind === 'timeout') return { status: 'failed', outcome: 'interrupted', detail: `its worker was gone: ${loss.message}` };
  if (loss.kind === 'cancelled') return { status: 'cancelled', detail: 'cancelled before it began' };
  return { status: 'failed', outcome: 'infrastructure-failure', detail: loss.message };
}

function finish(draft: Draft, i: number, flight: Readonly<InFlight>, settlement: Settlement, loss?: Loss): void {
  releaseSlot(draft, i);
  if (flight.intent === undefined) return settle(draft, i, settlement);
  const detail = loss ? cancelledLoss(loss) : (settlement.detail ?? 'stopped');
  settle(draft, i, { status: 'cancelled', detail });
  if (flight.intent === 'retry') retryNode(draft, i, undefined);
}

function cancelledLoss(loss: Loss): string {
  return loss.kind === 'timeout'
    ? 'its worker was gone when it was cancelled; its processes were ended with it'
    : 'cancelled before it began';
}

/** A settled node goes back to pending, and what it had blocked with it. */
export function retryNode(draft: Draft, i: number, note: Note | undefined): void {
  draft.state.settled -= 1;
  resetNode(draft, i, note);
  recount(draft, startNode);
}

/** Asks a dispatch to stop. `graceMs` undefined: the setting's grace; 0, or a second time: kill now. */
export function stopFlight(draft: Draft, i: number, intent: Intent, graceMs: number | undefined): void {
  const flight = flightAt(draft, i);
  const again = flight.intent !== undefined;
  flight.intent = intent === 'cancel' ? 'cancel' : (flight.intent ?? 'retry');
  if (!again) draft.effects.push({ kind: 'cancel', id: `${flight.id}/cancel`, dispatch: flight.id });
  if (again || graceMs === 0) killFlight(draft, i);
  else if (graceMs !== undefined) endGraceAt(draft, flight, draft.now + graceMs);
}

function endGraceAt(draft: Draft, flight: InFlight, at: number): void {
  flight.killAt = at;
  draft.state.graceAt = Math.min(draft.state.graceAt ?? at, at);
}

/** Grace is over: sent at once if the host is known, else as soon as it says where it runs. */
export function killFlight(draft: Draft, i: number): void {
  const flight = flightAt(draft, i);
  flight.kill ??= 'wanted';
  delete flight.killAt;
  sendKill(draft, i);
}

function sendKill(draft: Draft, i: number): void {
  const flight = flightAt(draft, i);
  if (flight.kill !== 'wanted' || flight.host === undefined) return;
  flight.kill = 'sent';
  draft.effects.push({ kind: 'kill', id: `${flight.id}/kill`, dispatch: flight.id, host: flight.host });
}

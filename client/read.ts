// What a run says of itself: its queries, each with a deadline, and told apart from "no worker answers". Changes nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import { QueryNotRegisteredError } from '@temporalio/client';
import { runWorkflowId } from '../model/ids.js';
import { done, refused, type Tried } from '../model/errors.js';
import type { Envelope } from '../model/event.js';
import type { JsonValue } from '../model/json.js';
import { QUERIES } from '../model/messages.js';
import type { Answer, NodeView, StatusView, SurfaceView } from '../model/run/views.js';
import type { Door } from './connect.js';
import { isLate, isNoRun, isNoWorker, isPassing, messageOf } from './failures.js';

/** A worker that lives answers in milliseconds; after a worker's death its sticky queue costs up to 2 s (operations.md, Workers). */
const QUERY_MS = 10_000;

/**
 * Asked again after these waits, the last wait being the rest of the ten seconds. A query is for one execution: one that reaches a large
 * run in the moment in which it continues as new would be answered only when a worker has replayed the closed execution (tried: 30 s
 * on a busy machine), where the next one is there at once.
 */
const TRIES_MS = [800, 1_600, 3_200] as const;

/** Between a query that a busy server sent back and the next. */
const PAUSE_MS = 250;

/** Views of up to this many nodes in one answer stay far below 2 MB. */
const NODES_PAGE = 500;

/**
 * One query of a run.
 * @returns refusal `no-worker` when none answers in time, `not-found` when Temporal no longer keeps the run
 */
export async function ask<T>(door: Door, run: string, query: string, ...args: unknown[]): Promise<Tried<T>> {
  const handle = door.client.workflow.getHandle(runWorkflowId(run));
  try {
    return done(await inTries(door, () => handle.query<T, unknown[]>(query, ...args)));
  } catch (error) {
    if (isNoRun(error)) return refused('not-found', `Temporal does not keep run ${run}`, messageOf(error));
    if (isNoWorker(error)) return noWorker(run, error);
    if (isPassing(error)) return refused('unreachable', `Temporal could not ask run ${run} just now; try again`, messageOf(error));
    if (error instanceof QueryNotRegisteredError) return refused('no-worker', `run ${run} does not answer yet: ${messageOf(error)}`);
    throw error;
  }
}

async function inTries<T>({ connection }: Pick<Door, 'connection'>, query: () => Promise<T>): Promise<T> {
  const end = Date.now() + QUERY_MS;
  let late: unknown;
  for (let nth = 0; ; nth++) {
    const ms = TRIES_MS[nth];
    try {
      return await connection.withDeadline(ms === undefined ? end : Date.now() + ms, query);
    } catch (error) {
      const passing = isPassing(error);
      if (isLate(error)) late = error;
      else if (!passing) throw error;
      // queries that nobody answers fill the server's buffer of a run: that it is full then says no more than the lateness before
      if (ms === undefined) throw late ?? error;
      if (passing) await sleep(PAUSE_MS);
    }
  }
}

export function readStatus(door: Door, run: string): Promise<Tried<StatusView>> {
  return ask<StatusView>(door, run, QUERIES.status);
}

/** Every node in plan order, read page by page. */
export async function readNodes(door: Door, run: string): Promise<Tried<NodeView[]>> {
  const nodes: NodeView[] = [];
  for (;;) {
    const page = await ask<NodeView[]>(door, run, QUERIES.nodes, { after: nodes.length, limit: NODES_PAGE });
    if (!page.ok) return page;
    nodes.push(...page.value);
    if (page.value.length < NODES_PAGE) return done(nodes);
  }
}

/** All nodes of a plan that fits one page; of a larger one those that are neither done nor pending. */
export async function readShownNodes(door: Door, status: StatusView): Promise<readonly NodeView[]> {
  const total = Object.values(status.counts).reduce((sum, count) => sum + count, 0);
  if (total > NODES_PAGE) return status.open;
  const nodes = await readNodes(door, status.run_id);
  return nodes.ok ? nodes.value : status.open;
}

export function readSurfaces(door: Door, run: string): Promise<Tried<SurfaceView[]>> {
  return ask<SurfaceView[]>(door, run, QUERIES.surfaces);
}

/** The result as it stands, unparsed; `result.ts` of this folder judges it. */
export function readResultQuery(door: Door, run: string): Promise<Tried<JsonValue>> {
  return ask<JsonValue>(door, run, QUERIES.result);
}

/** `first`: number of the oldest event that the workflow still holds; what is before it is in the journal. `last`: of the newest. */
export interface EventsPage {
  events: Envelope[];
  first: number;
  last: number;
}

/** Events after `after`, in order, as far as the workflow still holds them: those not yet written, and a tail. */
export function readEvents(door: Door, run: string, after: number, limit: number): Promise<Tried<EventsPage>> {
  return ask<EventsPage>(door, run, QUERIES.events, { after, limit });
}

/** What became of a command; null while it has not been judged. */
export function readAnswer(door: Door, run: string, id: string): Promise<Tried<Answer | null>> {
  return ask<Answer | null>(door, run, QUERIES.answer, id);
}

function noWorker(run: string, error: unknown): Tried<never> {
  return refused('no-worker', `no worker answers for run ${run}; start one with \`sluice worker\` or \`sluice dev\``, messageOf(error));
}

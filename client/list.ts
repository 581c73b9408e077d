// Which runs there are: read from Temporal's visibility and the runs' memos, so that listing needs no worker and no registration.

import type { WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import { runWorkflowId } from '../model/ids.js';
import { RUN_WORKFLOW } from '../model/run/input.js';
import type { RunStateWord, Status } from '../model/run/words.js';
import type { Memo as RunMemoNow } from '../model/run/inputs.js';
import type { Door } from './connect.js';
import { isNoRun } from './failures.js';

/** One run as a list shows it; printed by `--json` as it is. Times are RFC 3339, UTC. */
export interface RunSummary {
  run_id: string;
  plan: string;
  /** the run's own word; for an execution that ended without one (terminated in Temporal's UI), what Temporal says */
  state: RunStateWord | 'terminated' | 'timed-out' | 'unknown';
  open: boolean;
  goal?: string;
  started_at: string;
  ended_at?: string;
  counts?: Partial<Record<Status, number>>;
  /** at most ten; `waiting_count` says how many there are */
  waiting: RunMemoNow['waiting'];
  waiting_count: number;
  home?: string;
  project_dir?: string;
  plan_file?: string;
}

/** People read lists from the top; a fleet's whole past is asked for with --limit. */
export const LIST_LIMIT = 50;

export interface ListOptions {
  /** only runs that are not closed */
  open?: boolean;
  /** beginning of the run id */
  prefix?: string;
  /** most runs read, default 50; open ones come first */
  limit?: number;
}

/** Runs, the newest first. A run that was continued or reopened counts once, by its latest execution. */
export async function listRuns(door: Door, options: ListOptions = {}): Promise<RunSummary[]> {
  const limit = options.limit ?? LIST_LIMIT;
  const found = new Map<string, RunSummary>();
  for await (const info of door.client.workflow.list({ query: visibilityQuery(options) })) {
    const summary = summaryOf(info);
    const known = found.get(summary.run_id);
    if (known === undefined || known.started_at < summary.started_at) found.set(summary.run_id, summary);
    if (found.size >= limit) break;
  }
  return [...found.values()].sort((a, b) => (a.started_at < b.started_at ? 1 : -1));
}

/** One run by its whole id, read from the execution itself (visibility lags); undefined when there is none. */
export async function describeRun(door: Door, run: string): Promise<RunSummary | undefined> {
  const found = await describeExecution(door, run);
  return found === undefined ? undefined : summaryOf(found);
}

export async function describeExecution(door: Door, run: string): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await door.client.workflow.getHandle(runWorkflowId(run)).describe();
  } catch (error) {
    if (isNoRun(error)) return undefined;
    throw error;
  }
}

function visibilityQuery({ open, prefix }: ListOptions): string {
  const parts = [`WorkflowType = '${RUN_WORKFLOW}'`, open === true ? `ExecutionStatus = 'Running'` : `ExecutionStatus != 'ContinuedAsNew'`];
  // A prefix comes from the command line: only what can be part of an id reaches the query's text.
  if (prefix !== undefined) parts.push(`WorkflowId STARTS_WITH '${runWorkflowId(prefix.replace(/[^A-Za-z0-9._-]/g, ''))}'`);
  return parts.join(' AND ');
}

/** As stored: what the client wrote at the start, and what the workflow has added. Other programs may have written to it too. */
type Memo = Partial<Omit<RunSummary, 'waiting'>> & { waiting?: unknown };

function summaryOf(info: WorkflowExecutionInfo | WorkflowExecutionDescription): RunSummary {
  const memo = (info.memo ?? {}) as Memo;
  const waiting = Array.isArray(memo.waiting) ? (memo.waiting as RunMemoNow['waiting']) : [];
  const open = info.status.name === 'RUNNING' || info.status.name === 'PAUSED';
  return {
    run_id: info.workflowId.slice(runWorkflowId('').length),
    plan: typeof memo.plan === 'string' ? memo.plan : '?',
    state: stateOf(info.status.name, memo.state),
    open,
    started_at: info.startTime.toISOString(),
    ...(info.closeTime === undefined ? {} : { ended_at: info.closeTime.toISOString() }),
    ...optional(memo, ['goal', 'counts', 'home', 'project_dir', 'plan_file']),
    waiting: open ? waiting : [],
    waiting_count: open ? Math.max(waiting.length, memo.counts?.waiting ?? 0) : 0,
  };
}

/** What Temporal's word means where the run could not say its own. A completed one says it in its memo. */
const BY_STATUS: Partial<Record<WorkflowExecutionInfo['status']['name'], RunSummary['state']>> = {
  TERMINATED: 'terminated',
  TIMED_OUT: 'timed-out',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
};

function stateOf(status: WorkflowExecutionInfo['status']['name'], said: unknown): RunSummary['state'] {
  const word = said as RunStateWord | undefined;
  if (status === 'COMPLETED') return word === 'complete' || word === 'cancelled' ? word : 'failed';
  return BY_STATUS[status] ?? word ?? 'unknown';
}

function optional<K extends keyof Memo>(memo: Memo, keys: readonly K[]): Pick<Memo, K> {
  return Object.fromEntries(keys.filter((key) => memo[key] !== undefined && memo[key] !== null).map((key) => [key, memo[key]])) as Pick<
    Memo,
    K
  >;
}

// What is wrong with a run that the run cannot tell itself: a workflow task that fails again and again, a plan file that has changed.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { StatusView } from '../model/run/views.js';
import { runWorkflowId } from '../model/ids.js';
import type { Door } from './connect.js';
import { describeExecution } from './list.js';

/** One failed task may be a worker that died; from the second try on it is worth a word. */
const TRIES = 2;

/** The failure of a task stands among the last events: only the first of a row of failures is recorded. */
const LAST_EVENTS = 20;

/** A sentence about a workflow task that is stuck, with its last failure; undefined when none is (case O-45). */
export async function stuckTask(door: Door, run: string): Promise<string | undefined> {
  const execution = await describeExecution(door, run);
  const task = execution?.raw.pendingWorkflowTask;
  if (execution === undefined || !task || (task.attempt ?? 1) < TRIES) return undefined;
  const failure = await lastFailure(door, run);
  return `the workflow task of run ${run} has failed and is at try ${task.attempt}${failure === undefined ? '' : `: ${failure}`}`;
}

async function lastFailure(door: Door, run: string): Promise<string | undefined> {
  const { history } = await door.connection.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: door.namespace,
    execution: { workflowId: runWorkflowId(run) },
    maximumPageSize: LAST_EVENTS,
  });
  const failed = history?.events?.find((event) => event.workflowTaskFailedEventAttributes);
  return failed?.workflowTaskFailedEventAttributes?.failure?.message ?? undefined;
}

/** Says when the plan file is no longer what the run was started with; only where the file can be read. */
export async function planChange({ plan_file: file, plan_sha256: hash }: StatusView): Promise<string | undefined> {
  if (file === undefined || hash === undefined) return undefined;
  try {
    const now = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    return now === hash ? undefined : `${file} has changed since the run was started; the run goes by what it was`;
  } catch {
    // The file is on another machine, or gone: nothing can be said about it.
    return undefined;
  }
}

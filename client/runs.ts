// Starts runs. The one place that knows how a run's workflow is named, queued and described to Temporal.

import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { queues, runWorkflowId } from '../model/ids.js';
import { done, refused, type Tried } from '../model/errors.js';
import { RUN_WORKFLOW, type RunInput } from '../model/run/input.js';
import type { Door } from './connect.js';
import { isNoRun, isTooLarge, messageOf } from './failures.js';
import { checkInputSize } from './payload-size.js';

export interface Started {
  run: string;
  workflowId: string;
  /** Temporal's own run id of this execution, for its UI */
  executionId: string;
}

/**
 * What a run says of itself to those who only list. The workflow adds `state`, `counts` and `waiting` as they change
 * (operations.md, Temporal Cloud); the rest stays as it was at the start.
 */
export interface RunMemo {
  plan: string;
  state: string;
  goal?: string;
  home?: string;
  project_dir?: string;
  plan_file?: string;
}

/** Temporal's UI shows memos in a list, and the SDK warns above 2 KiB: a goal is a hint there, not a document. */
const MEMO_GOAL_CHARS = 200;

/**
 * Starts a run as the workflow `run/<run id>`.
 * @returns refusal `too-large` before anything is sent; `usage` when a run of that id exists, open or closed
 */
export async function startRun(door: Door, input: RunInput): Promise<Tried<Started>> {
  const size = await checkInputSize(door, input);
  if (!size.ok) return size;
  const workflowId = runWorkflowId(input.run);
  try {
    const handle = await door.client.workflow.start(RUN_WORKFLOW, {
      args: [input],
      workflowId,
      taskQueue: queues.main(input.fleet),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      memo: { ...memoOf(input) },
      staticSummary: input.plan.name,
    });
    return done({ run: input.run, workflowId, executionId: handle.firstExecutionRunId });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return taken(input.run);
    if (isTooLarge(error)) return refused('too-large', `Temporal refused plan ${input.plan.name} for its size: ${messageOf(error)}`);
    throw error;
  }
}

/** True when a run of that id is known to Temporal, open or closed. */
export async function runExists(door: Door, run: string): Promise<boolean> {
  try {
    await door.client.workflow.getHandle(runWorkflowId(run)).describe();
    return true;
  } catch (error) {
    if (isNoRun(error)) return false;
    throw error;
  }
}

export function taken(run: string): { ok: false; refusal: { code: 'usage'; message: string } } {
  return { ok: false, refusal: { code: 'usage', message: `a run ${run} exists already; give another --id, or none` } };
}

function memoOf(input: RunInput): RunMemo {
  const { plan, home, project, planFile } = input;
  return {
    plan: plan.name,
    state: 'running',
    ...(plan.goal === undefined ? {} : { goal: plan.goal.slice(0, MEMO_GOAL_CHARS) }),
    ...(home === undefined ? {} : { home, project_dir: project.dir }),
    ...(planFile === undefined ? {} : { plan_file: planFile.path }),
  };
}

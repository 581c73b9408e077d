// The activity `requestCancel`: asks Temporal to cancel the run that scheduled it. A workflow cannot ask for that itself.

import { Context } from '@temporalio/activity';
import { runWorkflowId } from '../model/ids.js';

/** Makes the activity. Said twice it asks twice, which Temporal takes as once. */
export function cancelRequester(): (input: { run: string }) => Promise<void> {
  return async ({ run }) => {
    const { client, info } = Context.current();
    // the execution that asks, never a later one under the same id (`retry` opens one)
    await client.workflow.getHandle(runWorkflowId(run), info.workflowExecution?.runId).cancel();
  };
}

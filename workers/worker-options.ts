// The options of one Temporal worker, with every number's reason. Knows nothing of what the activities do.

import type { WorkerOptions } from '@temporalio/worker';
import type { QueuePlan } from './queue-plan.js';

/** What an agent gets to stop, commit and end when its worker shuts down (operations.md, Workers), ms. */
export const SHUTDOWN_GRACE_MS = 25_000;

/** Killing trees, reporting and draining after the grace, ms. */
const AFTER_GRACE_MS = 30_000;

/** A dead worker's sticky queue holds its runs' tasks up for this long, and the rest of 17 s is the heartbeat timeout. */
const STICKY = '2s';

/** A cancel reaches an activity with its next heartbeat; the default holds beats back for 80% of the timeout (tried: 6.8 s, so 1.0 s). */
const HEARTBEAT_THROTTLE = '1s';

/** Measured on two cores: more make the dev server slower, fewer leave slots idle on wide graphs (operations.md, Speed). */
const WORKFLOW_POLLS = 16;
const ACTIVITY_POLLS = 32;

/** Bookkeeping comes one batch a run: a few polls keep up, and each poll of each queue costs the server a waiting request. */
const BOOKKEEPING_POLLS = 5;

export function forceMs(graceMs: number): number {
  return graceMs + AFTER_GRACE_MS;
}

/** Bounds, polls and shutdown times of a worker for one queue. */
export function workerOptions(plan: QueuePlan, graceMs: number): Omit<WorkerOptions, 'connection' | 'namespace' | 'identity'> {
  return {
    taskQueue: plan.queue,
    // 0, so that activities hear of the shutdown at once and use the grace themselves: the SDK tells them only after its own
    shutdownGraceTime: 0,
    shutdownForceTime: forceMs(graceMs),
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    ...(plan.workflows && { stickyQueueScheduleToStartTimeout: STICKY, maxConcurrentWorkflowTaskPolls: WORKFLOW_POLLS }),
    ...(plan.activities.length > 0 && {
      maxConcurrentActivityTaskExecutions: plan.slots,
      maxConcurrentActivityTaskPolls: Math.min(polls(plan), plan.slots),
    }),
  };
}

function polls(plan: QueuePlan): number {
  return plan.activities.includes('dispatch') ? ACTIVITY_POLLS : BOOKKEEPING_POLLS;
}

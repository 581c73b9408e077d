// What an activity that failed means, in the model's words.

import { ActivityFailure, CancelledFailure, TimeoutFailure, isCancellation } from '@temporalio/workflow';
import type { Loss } from '../model/run/inputs.js';

/** Reads a failed activity: cancelled, timed out, or broken. */
export function lossOf(error: unknown): Loss {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure) {
    const { timeoutType } = cause;
    return { kind: 'timeout', unstarted: timeoutType === 'SCHEDULE_TO_START', message: `timed out (${timeoutType})` };
  }
  if (cause instanceof CancelledFailure || isCancellation(error)) return { kind: 'cancelled', message: 'cancelled' };
  return { kind: 'failure', message: textOf(cause ?? error) };
}

/** The words of anything thrown. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// The few failures that an activity throws: only what Temporal is to retry. Everything else is a result.
// Benign, all of them: they are the ordinary course of things and belong in no error log.

import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { FAILURES } from './contract.js';

/** Another worker can take the turn at once; a moment, so that this one has stopped polling. */
const HANDOVER_DELAY_MS = 1_000;

/**
 * The dispatch is to be tried again (run.md, Dispatches).
 * @param delayMs the backoff, decided by the model
 */
export function askAgain(reason: string, delayMs: number): ApplicationFailure {
  return retryable(FAILURES.again, reason, delayMs);
}

/** The worker cannot go on with the turn; another attempt continues it, and none is spent. */
export function handedOver(reason: string): ApplicationFailure {
  return retryable(FAILURES.handover, reason, HANDOVER_DELAY_MS);
}

/** Nobody waits for this dispatch any more: its run is gone. */
export function forgotten(reason: string): ApplicationFailure {
  return ApplicationFailure.create({ message: reason, type: 'forgotten', nonRetryable: true, category: ApplicationFailureCategory.BENIGN });
}

function retryable(type: string, message: string, delayMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type,
    nonRetryable: false,
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** The system's code of an error, told by its property: Node's own errors are not `instanceof Error` across realms. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** One line about any thrown thing. */
export function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(error);
}

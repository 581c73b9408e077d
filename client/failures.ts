// What the SDK throws, told apart by gRPC status: which of it is a broken connection, a missing run, an absent worker.
// The only file that knows those numbers.

import { QueryNotRegisteredError, QueryRejectedError, ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { Refusal } from '../model/errors.js';
import { PayloadError } from '../workers/codec/index.js';

const CANCELLED = 1;
const UNKNOWN = 2;
const INVALID_ARGUMENT = 3;
const DEADLINE_EXCEEDED = 4;
export const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const FAILED_PRECONDITION = 9;
const ABORTED = 10;
const INTERNAL = 13;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

/** gRPC status of an error of the SDK or of its cause. */
export function grpcCode(error: unknown): number | undefined {
  const cause = error instanceof ServiceError ? error.cause : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'number' ? code : undefined;
}

/** One line of whatever was thrown; the cause's where it says more. */
export function messageOf(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { details?: unknown; message?: unknown } };
  const beneath = cause?.details ?? cause?.message;
  return [message ?? String(error), beneath].filter((part) => part !== undefined && part !== '').join(': ');
}

/** True when no worker answered a query: none polls, or the one that did is gone. Temporal itself is there. */
export function isNoWorker(error: unknown): boolean {
  return grpcCode(error) === FAILED_PRECONDITION || isLate(error);
}

/** True when nothing came within the deadline. */
export function isLate(error: unknown): boolean {
  return grpcCode(error) === DEADLINE_EXCEEDED;
}

/** True when the server was too busy, or gave up on its own side: the same question may be answered a moment later. */
export function isPassing(error: unknown): boolean {
  return PASSING.has(grpcCode(error) ?? 0);
}
const PASSING: ReadonlySet<number> = new Set([CANCELLED, UNKNOWN, RESOURCE_EXHAUSTED, ABORTED, INTERNAL]);

/** True when the connection is broken, or nobody is at its other end. */
export function isUnreachable(error: unknown): boolean {
  return grpcCode(error) === UNAVAILABLE;
}

export function isNoRun(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || grpcCode(error) === NOT_FOUND;
}

/** True when the server refuses what was sent for its size or form. */
export function isTooLarge(error: unknown): boolean {
  const code = grpcCode(error);
  return (code === INVALID_ARGUMENT || code === RESOURCE_EXHAUSTED) && /size|limit|large/i.test(messageOf(error));
}

/** A thrown error as a refusal, or undefined when it is a defect. Used once, where the program ends. */
export function refusalOf(error: unknown): Refusal | undefined {
  const cause = messageOf(error);
  if (isNoRun(error)) return { code: 'not-found', message: 'Temporal does not know that run', cause };
  if (error instanceof QueryNotRegisteredError || error instanceof QueryRejectedError) {
    return { code: 'no-worker', message: `the run does not answer: ${error.message}`, cause };
  }
  const onDisk = diskError(error) ?? diskError((error as { cause?: unknown }).cause);
  if (onDisk !== undefined) return { code: 'disk', message: `the disk said no: ${onDisk}`, cause };
  if (error instanceof PayloadError) return { code: 'disk', message: error.message };
  const code = grpcCode(error);
  if (code === undefined) return undefined;
  const told = TOLD[code] ?? { code: 'unreachable', message: `Temporal answered with an error (status ${code})` };
  return { ...told, cause };
}

/** Node's own words for a failed call on a file, which name the path: `EACCES: permission denied, open '/x'`. */
function diskError(error: unknown): string | undefined {
  const { code, path, message } = (error ?? {}) as { code?: unknown; path?: unknown; message?: unknown };
  return typeof code === 'string' && typeof path === 'string' && typeof message === 'string' ? message : undefined;
}

const SILENT: Refusal = { code: 'unreachable', message: 'Temporal stopped answering' };
const LOCKED: Refusal = { code: 'unreachable', message: 'Temporal refused the credentials; see TEMPORAL_API_KEY and the TLS settings' };
const TOLD: Partial<Record<number, Refusal>> = {
  [UNAVAILABLE]: SILENT,
  [DEADLINE_EXCEEDED]: SILENT,
  [UNAUTHENTICATED]: LOCKED,
  [PERMISSION_DENIED]: LOCKED,
  [FAILED_PRECONDITION]: { code: 'no-worker', message: 'no worker answers; start one with `sluice worker` or `sluice dev`' },
};

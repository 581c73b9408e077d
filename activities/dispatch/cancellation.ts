// Why an activity is cancelled, and which road that takes (agents.md, One activity). Knows no process.

/** `cancel`: the user's. `handover`: the turn goes on elsewhere or later. `gone`: nobody waits for it any more. */
export type Road = 'cancel' | 'handover' | 'gone';

export interface Cancelled {
  road: Road;
  /** in words, for logs and for the reason of the next attempt */
  why: string;
}

/** The flags of the SDK's `ActivityCancellationDetails`. */
export interface CancellationFlags {
  cancelRequested?: boolean;
  workerShutdown?: boolean;
  timedOut?: boolean;
  notFound?: boolean;
  paused?: boolean;
  reset?: boolean;
}

const ROADS: readonly (readonly [keyof CancellationFlags, string, Cancelled])[] = [
  // first what makes telling anybody pointless, then the user's word, then the rest
  ['notFound', 'NOT_FOUND', { road: 'gone', why: 'its run is gone' }],
  ['timedOut', 'TIMED_OUT', { road: 'gone', why: 'the server gave this attempt up' }],
  ['cancelRequested', 'CANCELLED', { road: 'cancel', why: 'it was cancelled' }],
  ['workerShutdown', 'WORKER_SHUTDOWN', { road: 'handover', why: 'its worker shut down' }],
  ['paused', 'PAUSED', { road: 'handover', why: 'the activity was paused' }],
  ['reset', 'RESET', { road: 'handover', why: 'the activity was reset' }],
];

/**
 * @param flags undefined from servers that send none: then the failure's message, the SDK's own word, decides
 */
export function roadOf(flags: CancellationFlags | undefined, message: string): Cancelled {
  const row = ROADS.find(([flag]) => flags?.[flag] === true) ?? ROADS.find(([, word]) => word === message);
  // an unknown reason: stop politely and let the next attempt find out
  return row?.[2] ?? { road: 'handover', why: `the activity was cancelled (${message})` };
}

// What the activities take and give: types only, so that workflows may name them without loading them.

import type { Envelope } from '../model/event.js';
import type { JsonValue } from '../model/json.js';
import type { DispatchInput, DispatchResult } from '../model/run/dispatch.js';
import type { ProjectRef } from '../model/run/input.js';
import type { DeliveryAnswer, Described, SubscribeAnswer, VerifyAnswer } from '../model/run/inputs.js';
import type { ResultV3 } from '../model/run/result.js';

export type * from '../model/run/dispatch.js';
export type { ProjectRef };

/** Kept in heartbeat details, so that it survives failed attempts (run.md, Dispatches). */
export type { Progress as DispatchProgress } from '../model/agent/attempts.js';

/** Failure types of `dispatch`; everything else it has to say is a result. */
export const FAILURES = {
  /** the worker shuts down; continued by session, no attempt spent */
  handover: 'handover',
  /** produced nothing, or a program failed, with attempts left; carries nextRetryDelay */
  again: 'again',
} as const;

export interface JournalInput {
  run: string;
  project: ProjectRef;
  events: readonly Envelope[];
}
export type Written = { written: true; seq: number } | { written: false; code: string; message: string };

export interface EndInput {
  run: string;
  project: ProjectRef;
  /** appended to the journal first; what was written already is left out */
  events?: readonly Envelope[];
  result: ResultV3;
  /** what `retry` of an ended run starts from, after the server's retention */
  state: JsonValue;
}

export interface KillInput {
  run: string;
  dispatch: string;
}

export interface NoteInput {
  run: string;
  dispatch: string;
  note: { id: string; text: string };
}

export interface VerifyInput {
  project: ProjectRef;
  by: string;
  /** the text that was signed (model/run/signed.ts) */
  message: string;
  /** base64 */
  signature: string;
}

/** `by` asks `run` about `node`. */
export interface SubscribeInput {
  run: string;
  node: string;
  by: string;
}

export interface ReadLogInput {
  run: string;
  project: ProjectRef;
  /** file name below `logs/` */
  name: string;
  offset: number;
  /** at most 262,144 */
  limit: number;
}
export type LogChunk =
  { found: true; text: string; offset: number; size: number; host: string } | { found: false; host: string; path: string; code: string };

/** The activities by name. Workflows build proxies of this type; workers register an object of it. */
export interface Activities {
  dispatch(input: DispatchInput): Promise<DispatchResult>;
  /** on the home host's queue: appends, idempotent by seq */
  appendJournal(input: JournalInput): Promise<Written>;
  /** on the home host's queue: the last events, result.json and state.json */
  writeEnd(input: EndInput): Promise<Written>;
  /** on the queue of the host that runs the dispatch: grace is over now */
  killDispatch(input: KillInput): Promise<{ found: boolean }>;
  /** on the queue of the host that runs the dispatch: words for the turn that runs now (run.md, Notes) */
  deliverNote(input: NoteInput): Promise<DeliveryAnswer>;
  /** on the queue of the host that runs the dispatch: it is to return `handover` with its session (run.md, Size) */
  askHandover(input: KillInput): Promise<{ found: boolean }>;
  /** on the home host's queue: an Ed25519 signature by the project's config (run.md, Signals and commands) */
  verifyAttestation(input: VerifyInput): Promise<VerifyAnswer>;
  /** on the fleet's main queue: asks a run to tell how a node settles, or reads it if the run is closed */
  subscribeNode(input: SubscribeInput): Promise<SubscribeAnswer>;
  /** on the fleet's main queue: what became of other workflows */
  describeWorkflows(input: { workflows: string[] }): Promise<Described[]>;
  /** on the fleet's main queue: asks Temporal to cancel the run that was cancelled by a signal, so that it ends as Cancelled */
  requestCancel(input: { run: string }): Promise<void>;
  /** on the host's queue */
  readLog(input: ReadLogInput): Promise<LogChunk>;
}

// The whole state of a run: plain JSON, arrays in plan order (a copy of a record of 10,000 nodes per input would be quadratic).
// Times are ms since the epoch, of the workflow's clock.

import type { Usage } from '../agent/events.js';
import type { Envelope } from '../event.js';
import type { SessionRef } from './dispatch.js';
import type { RunInput } from './input.js';
import type { Answer, SurfaceView } from './views.js';
import type { Status } from './words.js';

/** A dispatch that has been ordered and not returned. */
export interface InFlight {
  id: string;
  /** highest attempt announced by an event */
  attempt: number;
  /** where it runs, once it has said so, or its queue names one host */
  host?: string;
  session?: string;
  /** last `n` taken from its reports, and the attempt they belong to */
  reported?: { attempt: number; n: number };
  started?: boolean;
  /** what becomes of the node when it returns; absent: what the result says */
  intent?: 'cancel' | 'retry';
  /** a grace of the command's own ends then, ms since the epoch */
  killAt?: number;
  /** grace is over: kill as soon as the host is known */
  kill?: 'wanted' | 'sent';
}

export interface NodeState {
  status: Extract<Status, 'pending' | 'ready' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled' | 'parked'>;
  /** needs that still keep it from starting */
  unmet: number;
  /** needs that ended other than done, or can no longer start */
  lost: number;
  /** it can no longer start as things stand: `needs-done` with a lost need */
  dead: boolean;
  /** blocking surfaces that hold it */
  held: number;
  /** dispatches ordered so far */
  n: number;
  flight?: InFlight;
  outcome?: string;
  detail?: string;
  output?: string;
  /** attempts of the last dispatch */
  attempt?: number;
  host?: string;
  session?: SessionRef;
  sessionUsage?: Usage;
  /** summed over its dispatches; a dispatch that could not tell its cost leaves `costUnknown` */
  usage?: Usage;
  costUnknown?: boolean;
  /** rides the next dispatch */
  note?: string;
  deadline?: number;
  readyAt?: number;
  startedAt?: number;
  settledAt?: number;
}

export interface SurfaceState extends Omit<SurfaceView, 'queued_at' | 'read_at' | 'workstream'> {
  node?: number;
  queuedAt: number;
  answeredAt?: number;
}

/** What is announced of a decision, so that it is announced again only when what it holds has changed. */
export interface OpenDecision {
  reference: string;
  kind: 'human' | 'surface';
  unblocks: string[];
  since: number;
}

export interface JournalState {
  mode: 'home' | 'none';
  /** last seq that is on disk */
  written: number;
  /** a batch is out, up to this seq */
  inFlight?: number;
  /** when the last answer came */
  answeredAt: number;
  /** refusals in a row; the third ends the run */
  refusals: number;
  refused?: string;
  /** next try after a refusal */
  retryAt?: number;
  /** home did not take a batch within 30 s */
  away: boolean;
  /** three refusals: only what runs is finished */
  lost: boolean;
}

export type Phase = 'open' | 'cancelling' | 'settled' | 'closing' | 'over';
export type Zone = 'free' | 'roll' | 'short' | 'drain';

export interface RunState {
  v: 1;
  rules: number;
  input: RunInput;
  phase: Phase;
  /** the run was cancelled as a whole */
  cancelled?: boolean;
  zone: Zone;
  startedAt: number;
  endedAt?: number;
  nodes: NodeState[];
  /** indexes of ready nodes, plan order */
  queue: number[];
  /** indexes of nodes that wait for a person */
  waiting: number[];
  inFlight: number;
  /** nodes in a status they do not leave by themselves */
  settled: number;
  locks: Record<string, number>;
  surfaces: SurfaceState[];
  decisions: OpenDecision[];
  answers: Answer[];
  seq: number;
  /** unwritten envelopes, and a tail of written ones up to 64 KiB */
  recent: Envelope[];
  journal: JournalState;
  /** how often writing the result at home was tried */
  endTries?: number;
  /** last memo told to the server */
  memo?: { state: string; at: number; waiting: string };
  alarm?: number;
  /** the earliest `killAt` of all dispatches */
  graceAt?: number;
  /** when draining began, for what outlasts it */
  drainSince?: number;
}

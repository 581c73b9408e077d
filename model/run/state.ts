// The whole state of a run: plain JSON, arrays in plan order (a copy of a record of 10,000 nodes per input would be quadratic).
// Times are ms since the epoch, of the workflow's clock.

import type { Usage } from '../agent/events.js';
import type { Envelope } from '../event.js';
import type { JsonValue } from '../json.js';
import type { CommandEnvelope, Upstream } from '../messages.js';
import type { SessionRef } from './session.js';
import type { RunInput } from './input.js';
import type { Answer, SurfaceView } from './views.js';
import type { RunStateWord, Status } from './words.js';

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
  intent?: 'cancel' | 'retry' | 'drop' | 'park';
  /** a grace of the command's own ends then, ms since the epoch */
  killAt?: number;
  /** grace is over: kill as soon as the host is known */
  kill?: 'wanted' | 'sent';
  /** asked to return `handover`, because the run drains (run.md, Size) */
  handover?: 'asked';
  /** it gave its slot back: it waits for a person, a landing or a quota (run.md, Slots) */
  idle?: boolean;
}

/** Words that ride exactly one dispatch. */
export interface Note {
  /** `<envelope id>/<index>`, or `surface:N` for a reply */
  id: string;
  text: string;
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
  /** ride the next dispatch, in order */
  notes?: Note[];
  /** what a person filled in, readable as `needs.NODE.fields.X` */
  fields?: Record<string, JsonValue>;
  /** push-backs so far, by choice */
  rounds?: Record<string, number>;
  /** steps of `escalate` that have been taken, and when the next is due */
  escalated?: number;
  escalateAt?: number;
  /** how often it has settled */
  settlements?: number;
  deadline?: number;
  readyAt?: number;
  startedAt?: number;
  settledAt?: number;
}

export interface SurfaceState extends Omit<SurfaceView, 'queued_at' | 'read_at' | 'workstream'> {
  node?: number;
  queuedAt: number;
  answeredAt?: number;
  /** raised from inside a dispatch: its id and the key of the call */
  raisedBy?: { dispatch: string; key: string; waits: boolean; taken?: boolean };
}

/** An envelope in the middle: its command at `at` waits for an answer of the world. */
export interface Suspended {
  key: string;
  envelope: CommandEnvelope;
  at: number;
}

/** A node of another run that nodes of this one need. */
export interface UpstreamState {
  run: string;
  node: string;
  /** indexes of the nodes that need it */
  optional: boolean;
  state: 'asked' | 'open' | 'settled' | 'absent';
  settled?: number;
  last?: Upstream;
  reason?: string;
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
  /** envelopes that wait for an answer of the world */
  suspended?: Suspended[];
  /** dispatch numbers of ids that were dropped: a node that takes the id again counts on from there */
  dropped?: Record<string, number>;
  /** nodes of other runs that this one needs */
  upstreams?: UpstreamState[];
  /** other runs that want to know of a node here */
  subscribers?: { run: string; node: string }[];
  /** when the next look at other workflows is due, and the wait after it */
  sweep?: { at: number; waitMs: number };
  /** what the run said of itself when it settled */
  settledAs?: RunStateWord;
  /** `complete` was said: what is not settled is dropped */
  completing?: boolean;
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

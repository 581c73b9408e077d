// What the activities take and give: types only, so that workflows may name them without loading them.

import type { EnvSpec, Permissions } from '../model/plan/compiled.js';
import type { Envelope } from '../model/event.js';
import type { JsonValue } from '../model/json.js';
import type { Usage } from '../model/agent/events.js';
import type { ProjectRef } from '../model/run/input.js';
import type { ResultV3 } from '../model/run/result.js';

export type { ProjectRef };

/** The conversation an agent CLI keeps, and the host that has it. */
export interface SessionRef {
  id: string;
  host: string;
}

export interface DispatchLimits {
  timeoutMs: number;
  graceMs: number;
  resultGraceMs: number;
  heartbeatMs: number;
  quietMs: number;
  /** tries of an agent that produced nothing, or of a program that failed */
  attempts: number;
  backoffMs: number;
  backoffMaxMs: number;
  maxDeaths: number;
}

export interface AgentWork {
  kind: 'agent';
  adapter: string;
  prompt: string;
  model?: string;
  maxTurns?: number;
  maxCost?: number;
  permissions: Permissions;
  args: string[];
  env: EnvSpec;
  output?: JsonValue;
  mustWork: boolean;
  dir?: string;
}

export interface ProgramWork {
  kind: 'run';
  argv?: string[];
  script?: string;
  env: EnvSpec;
  dir?: string;
  okCodes: number[];
  outputFile?: string;
}

export interface DispatchInput {
  run: string;
  /** `<node>#<n>` */
  id: string;
  node: string;
  project: ProjectRef;
  work: AgentWork | ProgramWork;
  limits: DispatchLimits;
  /** what `${{ }}` can read, written to the file named in SLUICE_INPUTS */
  values: { inputs: Record<string, string>; needs: Record<string, NeedValues>; run: { id: string; goal?: string } };
  /** continue this conversation (an earlier node's, or this dispatch's own on the host that holds it) */
  session?: SessionRef;
  /** true once the workflow has placed the dispatch on the host that holds its session */
  continued?: boolean;
  /** usage already counted for `session` (codex reports running totals of a thread) */
  sessionUsage?: Usage;
}

export interface NeedValues {
  output?: string;
  outcome?: string;
  branch?: string;
  changeUrl?: string;
}

export type Reached = 'not-started' | 'silence' | 'spoke' | 'elsewhere' | 'deferred';

/** How the process tree came to its end; the settlement's words rest on it. */
export type EndedBy = 'exit' | 'result' | 'signal' | 'timeout' | 'cancel' | 'not-started';

export interface AttemptRecord {
  attempt: number;
  startedAt: string;
  /** why it was asked again; absent on the last one */
  reason?: string;
}

export interface DispatchResult {
  reached: Reached;
  ok: boolean;
  /** a word of `model/run/words.ts` when not ok */
  outcome?: string;
  detail?: string;
  attempts: AttemptRecord[];
  /** the last message or stdout, at most 16 KiB of UTF-8, cut on a character */
  output: string;
  /** file name below the run's `artifacts/` when `output` was cut */
  outputArtifact?: string;
  session?: SessionRef;
  host: string;
  usage?: Usage;
  /** the thread's running total, for the next continuation of this session */
  sessionUsage?: Usage;
  endedBy: EndedBy;
  /** cancel and timeout: whether the tree obeyed, or had to be killed, and what it said */
  stop?: { how: 'stopped' | 'killed'; said?: string };
  /** file name below the run's `logs/` on `host` */
  log?: string;
}

/** Kept in heartbeat details, so that it survives failed attempts (run.md, Dispatches). */
export interface DispatchProgress {
  attempt: number;
  /** `running`: if the next attempt finds this, the worker died */
  phase: 'running' | 'silence' | 'failure' | 'handover';
  silences: number;
  failures: number;
  deaths: number;
  handovers: number;
  host: string;
  session?: string;
  spoke: boolean;
  attempts: AttemptRecord[];
}

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
  events: Envelope[];
}
export type Written = { written: true; seq: number } | { written: false; code: string; message: string };

export interface EndInput {
  run: string;
  project: ProjectRef;
  result: ResultV3;
  /** what `retry` of an ended run starts from, after the server's retention */
  state: JsonValue;
}

export interface KillInput {
  run: string;
  dispatch: string;
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
export type LogChunk = { found: true; text: string; offset: number; size: number; host: string } | { found: false; host: string; path: string; code: string };

/** The activities by name. Workflows build proxies of this type; workers register an object of it. */
export interface Activities {
  dispatch(input: DispatchInput): Promise<DispatchResult>;
  /** on the home host's queue: appends, idempotent by seq */
  appendJournal(input: JournalInput): Promise<Written>;
  /** on the home host's queue: result.json and state.json */
  writeEnd(input: EndInput): Promise<Written>;
  /** on the queue of the host that runs the dispatch: grace is over now */
  killDispatch(input: KillInput): Promise<{ found: boolean }>;
  /** on the host's queue */
  readLog(input: ReadLogInput): Promise<LogChunk>;
}

// What a dispatch is asked and what it answers: the shapes that model, workflow and activity share. Plain JSON.

import type { AgentSpec, ProgramSpec } from '../plan/compiled.js';
import type { Usage } from '../agent/events.js';
import type { ProjectRef } from './input.js';
import type { SessionRef } from './session.js';

/** All times in ms. */
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

/** An agent's turn as the plan has it, with the prompt composed and the adapter's name resolved. */
export interface AgentWork extends Omit<AgentSpec, 'use' | 'promptFile' | 'resume'> {
  kind: 'agent';
  adapter: string;
}

/** A program as the plan has it; its attempts are among the limits. */
export interface ProgramWork extends Omit<ProgramSpec, 'attempts'> {
  kind: 'run';
}

export interface NeedValues {
  output?: string;
  outcome?: string;
  branch?: string;
  changeUrl?: string;
}

/** What `${{ }}` can read, also written to the file named in SLUICE_INPUTS. */
export interface DispatchValues {
  inputs: Record<string, string>;
  needs: Record<string, NeedValues>;
  run: { id: string; goal?: string };
}

export interface DispatchInput {
  run: string;
  /** `<node>#<n>` */
  id: string;
  node: string;
  project: ProjectRef;
  work: AgentWork | ProgramWork;
  limits: DispatchLimits;
  values: DispatchValues;
  /** continue this conversation (an earlier node's, or this dispatch's own on the host that holds it) */
  session?: SessionRef;
  /** true once the workflow has placed the dispatch on the host that holds its session */
  continued?: boolean;
  /** usage already counted for `session` (codex reports running totals of a thread) */
  sessionUsage?: Usage;
}

export type Reached = 'not-started' | 'silence' | 'spoke' | 'elsewhere' | 'deferred' | 'handover';

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
  /** a word of `words.ts` when not ok */
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

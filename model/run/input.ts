// What starts a run: the one argument of the workflow `run`. Plain JSON.

import type { Usage } from '../agent/events.js';
import type { JsonValue } from '../json.js';
import type { CompiledPlan } from '../plan/compiled.js';
import type { SessionRef } from './session.js';
import type { RunSettings } from '../settings.js';
import type { Author } from './words.js';

/** The repository or folder a run belongs to. `dir` is its path on the home host; other hosts map `id` to a path of their own. */
export interface ProjectRef {
  id: string;
  dir: string;
}

export interface RunInput {
  run: string;
  /** the rules it was started under (model/rules.ts); absent: 1 */
  rules?: number;
  plan: CompiledPlan;
  project: ProjectRef;
  /** the host that has the project and keeps the journal; absent: history is the only record (`journal: none`) */
  home?: string;
  fleet: string;
  settings: RunSettings;
  startedBy: { author: Author; by?: string };
  planFile?: { path: string; sha256: string };
  /** true when the client has seen that the namespace knows SluiceState, SluiceWaiting and SluicePlan */
  searchAttributes: boolean;
  /** `--attest NODE[=choice]`: applied the moment the node waits */
  attestAhead: { node: string; choice?: string }[];
  /** the project's gates are signed: who may sign; attest and reply by anybody else are refused (run.md, Signals and commands) */
  signedBy?: string[];
  /** settled nodes taken over from an earlier run, or from this one before it was reopened; nodes not named start anew */
  carriedNodes?: CarriedNode[];
  /** the run was reopened under its own id: events go on from here */
  reopened?: { seq: number; startedAt: number };
  /** the run that nodes were carried from */
  carriedFrom?: string;
}

/** What a node keeps over a reopening or `--carry`. */
export interface CarriedNode {
  id: string;
  status: 'done' | 'failed' | 'cancelled' | 'parked';
  outcome?: string;
  detail?: string;
  output?: string;
  fields?: Record<string, JsonValue>;
  session?: SessionRef;
  sessionUsage?: Usage;
  usage?: Usage;
  costUnknown?: boolean;
  /** dispatches ordered so far under this run id; 0 for a node carried from another run */
  n: number;
  settlements?: number;
  /** for a node carried from another run: that run */
  from?: string;
}

/** Name of the workflow type, as the client starts it. */
export const RUN_WORKFLOW = 'run';

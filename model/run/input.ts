// What starts a run: the one argument of the workflow `run`. Plain JSON.

import type { CompiledPlan } from '../plan/compiled.js';
import type { RunSettings } from '../settings.js';
import type { Author } from './words.js';

/** The repository or folder a run belongs to. `dir` is its path on the home host; other hosts map `id` to a path of their own. */
export interface ProjectRef {
  id: string;
  dir: string;
}

export interface RunInput {
  run: string;
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
}

/** Name of the workflow type, as the client starts it. */
export const RUN_WORKFLOW = 'run';

// Documents that the run answers to queries. snake_case: they are printed by `--json` as they are.
// Their zod forms stand beside the types where someone outside parses them (result.ts).

import type { NodeKind } from '../plan/compiled.js';
import type { RunStateWord, Status } from './words.js';

export interface UsageView {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  turns: number;
  /** sum of what CLIs reported; absent when none did */
  cost_usd?: number;
  /** true when at least one dispatch could not say what it cost */
  cost_unknown?: boolean;
}

export interface NodeView {
  id: string;
  kind: NodeKind;
  title?: string;
  status: Status;
  outcome?: string;
  detail?: string;
  needs: string[];
  /** waiting: what a person must do */
  action?: string;
  /** waiting: choices of the human node */
  choices?: string[];
  /** waiting: nodes below that it holds */
  unblocks?: string[];
  /** blocked: node ids or surface references that hold it */
  blocked_by?: string[];
  dispatch?: string;
  /** tries of the present or last dispatch */
  attempt?: number;
  host?: string;
  session_id?: string;
  deadline?: string;
  started_at?: string;
  settled_at?: string;
  usage?: UsageView;
  branch?: string;
  change_url?: string;
}

export interface WaitingView {
  /** node id or `surface:N` */
  reference: string;
  kind: 'human' | 'surface';
  action: string;
  choices?: string[];
  unblocks: string[];
  since: string;
  deadline?: string;
}

export interface StatusView {
  run_id: string;
  name: string;
  goal?: string;
  state: RunStateWord;
  /** why nothing new starts, when something holds the whole run (journal refused, home away, cancelling) */
  held?: string;
  started_at: string;
  ended_at?: string;
  /** last event's number */
  seq: number;
  counts: Record<Status, number>;
  /** nodes that are neither done nor pending, plan order, at most 500 */
  open: NodeView[];
  waiting: WaitingView[];
  surfaces_open: number;
  home?: string;
  project_dir?: string;
  plan_file?: string;
  plan_sha256?: string;
  usage: UsageView;
}

export interface SurfaceView {
  id: number;
  kind: string;
  message: string;
  source: string;
  blocking: boolean;
  queued_at: string;
  workstream?: string;
  read_at?: string;
  answer?: string;
}

/** Answer to a command, kept for the last 1,000 ids. */
export interface Answer {
  id: string;
  applied: boolean;
  reason?: string;
  applied_count: number;
}

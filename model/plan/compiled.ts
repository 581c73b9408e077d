// The plan as the engine runs it: short forms written out, durations in milliseconds, nodes in plan order.
// `schema.ts` reads the file's form; `compile.ts` turns it into this. Plain JSON.

import type { JsonValue } from '../json.js';

export type NodeKind = 'agent' | 'run' | 'human' | 'change' | 'panel' | 'ticket';
export type StartIf = 'needs-done' | 'needs-settled' | 'any-failed';
export type Permissions = 'read' | 'edit' | 'full';

export interface Need {
  node: string;
  /** `landed`: wait for the change to reach its base, not only for the node to be done */
  until?: 'landed';
  /** a node of another run */
  run?: string;
  optional?: boolean;
}

export interface AgentSpec {
  /** `promptFile` has been read into it when the plan was loaded */
  prompt: string;
  promptFile?: string;
  /** adapter name, already resolved (plan.md / agents.md, Resolution) */
  use: string;
  model?: string;
  maxTurns?: number;
  /** USD */
  maxCost?: number;
  permissions: Permissions;
  args: string[];
  env: EnvSpec;
  /** JSON Schema of the last message */
  output?: JsonValue;
  mustWork: boolean;
  /** id of an earlier node whose session is continued */
  resume?: string;
  /** relative to the project */
  dir?: string;
}

/** Names passed through from the worker's environment, and literals. */
export interface EnvSpec {
  pass: string[];
  set: Record<string, string>;
}

export interface ProgramSpec {
  /** exactly one of the two */
  argv?: string[];
  script?: string;
  env: EnvSpec;
  dir?: string;
  /** failures of any kind, in all; at least 1 */
  attempts: number;
  okCodes: number[];
  /** relative to `dir`; its content is the node's output instead of stdout */
  outputFile?: string;
}

export interface Choice {
  name: string;
  rejects?: boolean;
  sendsBack?: string;
  /** rounds of push-back, default 3 */
  rounds?: number;
}

export interface HumanSpec {
  ask: string;
  /** at least one; the default one is `attested` */
  choices: Choice[];
  deadlineMs?: number;
  /** `fail` | `keep-waiting` | a choice's name; default `fail` */
  onDeadline: string;
  fields?: Record<string, JsonValue>;
  who?: string[];
  notAuthor?: boolean;
  escalate?: { afterMs: number; notify: string }[];
  /** what the run reports while it waits */
  while: 'waiting' | 'blocked';
}

export interface NodeSpec {
  id: string;
  kind: NodeKind;
  title?: string;
  labels: Record<string, string>;
  persona?: string;
  needs: Need[];
  startIf: StartIf;
  /** names held from dispatch to settlement */
  lock: string[];
  /** per dispatch, in ms; node, else defaults, else 45 min */
  timeoutMs: number;
  executor?: string;
  expectsNoDiff: boolean;
  notify: boolean;
  onQuota: 'wait' | 'fail';
  agent?: AgentSpec;
  run?: ProgramSpec;
  human?: HumanSpec;
  /** kinds that a later release runs: checked, kept as written */
  later?: JsonValue;
}

export interface CompiledPlan {
  version: 1;
  name: string;
  goal?: string;
  /** dispatches at once, 1 to 1,000 */
  concurrency: number;
  /** given values of the declared inputs, defaults filled in */
  inputs: Record<string, string>;
  budget?: { costUsd?: number; tokens?: number; dispatches?: number };
  nodes: NodeSpec[];
}

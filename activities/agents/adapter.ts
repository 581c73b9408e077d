// What an adapter is: one small file that knows one agent CLI (agents.md, Adapters).

import type { AgentEvent } from '../../model/agent/events.js';
import type { Permissions } from '../../model/plan/compiled.js';
import type { JsonValue } from '../../model/json.js';

export interface TurnRequest {
  prompt: string;
  model?: string;
  maxTurns?: number;
  maxCost?: number;
  permissions: Permissions;
  args: string[];
  /** JSON Schema of the last message; `schemaFile` is where it lies for CLIs that want a file */
  output?: JsonValue;
  schemaFile?: string;
  /** a file holding the prompt, for CLIs and templates that want one */
  promptFile: string;
  /** session to continue */
  session?: string;
  /** runs as root (some CLIs need to be told) */
  root: boolean;
}

export interface TurnCommand {
  argv: string[];
  /** literals the CLI needs in its environment */
  env: Record<string, string>;
  stdin: 'ignore' | { text: string };
}

/** Reads one stream of one attempt; made new for each. Lines come without their newline, ANSI stripped, in order. */
export interface StreamReader {
  stdout(line: string): AgentEvent[];
  stderr(line: string): AgentEvent[];
  /** at the end of the process: what only its end tells */
  end?(exit: { code: number | null; signal: string | null }): AgentEvent[];
}

export interface Adapter {
  name: string;
  /** default executable, looked up on PATH */
  bin: string;
  /** names passed from the worker's environment beside the base list */
  env: readonly string[];
  stopSignal: 'SIGINT' | 'SIGTERM';
  abilities: {
    continue: boolean;
    live: boolean;
    structured: boolean;
    /** 'enforced' by the CLI, or only 'asked' for in words */
    readOnly: 'enforced' | 'asked';
    cost: 'reported' | 'unknown';
    maxTurns: boolean;
    maxCost: boolean;
  };
  /** `text`: one byte on stdout is speech, and stdout is the message; `stream`: only parsed events are */
  mode: 'text' | 'stream';
  command(bin: string[], turn: TurnRequest): TurnCommand;
  reader(): StreamReader;
}

// What an adapter reads out of a CLI's stream, in one form for all of them.

import type { JsonValue } from '../json.js';

/**
 * Tokens by one meaning for every CLI: `inputTokens` is uncached input, `cachedInputTokens` is what came from a cache;
 * the two never overlap (agents.md, Cost; case O-53).
 */
export interface Usage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** as the CLI reported it; absent = unknown, never zero */
  costUsd?: number;
  turns: number;
}

/** A refusal by quota. `resetAt` (ISO) is trusted whole when `exact`, capped by the reader of wordings otherwise. */
export interface QuotaHint {
  resetAt?: string;
  exact: boolean;
  text: string;
}

export type AgentEvent =
  | { kind: 'session'; id: string }
  /** the CLI is alive and working (retry notices, init): not speech */
  | { kind: 'progress'; text?: string }
  /** speech; `final` text candidates for the output */
  | { kind: 'message'; text: string }
  | { kind: 'tool'; name: string; text?: string }
  /** `cumulative`: thread = running total across resumes (codex), process = total of this process (claude), turn = add up (opencode) */
  | { kind: 'usage'; usage: Usage; cumulative: 'thread' | 'process' | 'turn' }
  | { kind: 'quota'; quota: QuotaHint }
  /** `fault` says what kind of ending it is; `http` where a status is known */
  | { kind: 'error'; fault: 'login' | 'billing' | 'server' | 'task' | 'budget'; message: string; http?: number }
  /** the terminal event of a turn */
  | { kind: 'result'; ok: boolean; text?: string; structured?: JsonValue };

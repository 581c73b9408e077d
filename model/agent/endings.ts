// What the end of a turn or of a program means, read from facts alone (agents.md, Processes; run.md, Dispatches).
// Pure: it knows no process, no stream and no CLI. What the ending means for the graph is decided elsewhere.

import type { JsonValue } from '../json.js';
import type { Outcome } from '../run/words.js';
import type { AgentEvent, QuotaHint } from './events.js';

export type ErrorEvent = Extract<AgentEvent, { kind: 'error' }>;
export type ResultEvent = Extract<AgentEvent, { kind: 'result' }>;

/** How the child itself went; `code` is null when a signal ended it. */
export interface Exit {
  code: number | null;
  signal: string | null;
  /** processes of its group that outlived it and were ended */
  leftovers: number;
}

/** Everything that was seen of one turn of an agent. */
export interface TurnFacts {
  mode: 'text' | 'stream';
  /** a parsed message or tool event; in text mode one byte on stdout. Stderr, noise, init and retry notices are not speech. */
  spoke: boolean;
  usedTool: boolean;
  result?: ResultEvent;
  /** the error that counts: a refused login before all others, else the last one */
  error?: ErrorEvent;
  quota?: QuotaHint;
  lastMessage?: string;
  lastStderr?: string;
  exit: Exit;
}

export type Ending =
  | { kind: 'done'; notes: string[] }
  /** produced nothing: asked again */
  | { kind: 'silence'; reason: string }
  /** could not be spawned: asked again */
  | { kind: 'not-started'; reason: string }
  | { kind: 'failed'; outcome: Outcome; detail: string };

/**
 * Judges one turn. Success is a result event that says so, never an exit code alone; a complete error-free result outranks a
 * non-zero exit (agents.md, Adapters; cases O-05, O-07).
 */
export function judgeTurn(facts: TurnFacts): Ending {
  if (facts.result?.ok) return { kind: 'done', notes: exitNote(facts.exit) };
  if (facts.quota)
    return failed('quota', `refused by quota: ${facts.quota.text}${facts.quota.resetAt ? ` (resets ${facts.quota.resetAt})` : ''}`);
  if (facts.error) return judgeError(facts.error, facts.spoke);
  if (facts.result) return failed('task-failed', facts.result.text || 'its result says that it failed');
  return judgeExit(facts);
}

function judgeError(error: ErrorEvent, spoke: boolean): Ending {
  const detail = error.http === undefined ? error.message : `HTTP ${error.http}: ${error.message}`;
  switch (error.fault) {
    case 'login':
    case 'billing':
      return failed('refused-login', detail);
    case 'budget':
      return failed('budget-spent', detail);
    case 'task':
      return failed('task-failed', detail);
    case 'server':
      // a lost server before any speech is nobody's failure: the same question may be asked again
      return spoke ? failed('task-failed', detail) : { kind: 'silence', reason: detail };
    default:
      return unknownFault(error.fault);
  }
}

function unknownFault(fault: never): never {
  throw new Error(`fault ${String(fault)} is none of events.ts`);
}

function judgeExit(facts: TurnFacts): Ending {
  const { code, signal } = facts.exit;
  if (signal !== null) return spokenOr(facts, `ended by ${signal}`);
  if (code !== 0) return spokenOr(facts, exitWords(facts.exit, facts.lastStderr));
  if (facts.mode === 'text' && facts.spoke) return { kind: 'done', notes: [] };
  return spokenOr(facts, facts.spoke ? 'ended without a result' : withStderr('exit 0 without a word', facts.lastStderr));
}

function spokenOr(facts: TurnFacts, words: string): Ending {
  return facts.spoke ? failed('task-failed', words) : { kind: 'silence', reason: words };
}

/** Judges one program by its exit code alone (run.md, Dispatches). */
export function judgeProgram(exit: Exit, okCodes: readonly number[], lastStderr?: string): Ending {
  if (exit.signal !== null) return failed('task-failed', withStderr(`ended by ${exit.signal}`, lastStderr));
  if (exit.code !== null && okCodes.includes(exit.code)) return { kind: 'done', notes: [] };
  return failed('task-failed', exitWords(exit, lastStderr));
}

/**
 * `mustWork`: an agent that used no tool did no work (plan.md). Only tool events are looked at; a diff is not. A text-mode agent
 * shows no tools, so that it is not judged, and the note says so.
 */
export function judgeWork(facts: TurnFacts): Ending {
  if (facts.mode === 'text') return { kind: 'done', notes: ['mustWork not checked: its adapter shows no tools'] };
  if (facts.usedTool) return { kind: 'done', notes: [] };
  return failed('no-work', 'the turn used no tool');
}

/**
 * The structured answer: the CLI's own when it gave one, else the last message read as JSON. Whether it satisfies the schema is
 * enforced by the CLIs that can; here it must only be an object or a list.
 */
export function structuredAnswer(facts: TurnFacts): { ok: true; value: JsonValue } | { ok: false; detail: string } {
  const given = facts.result?.structured;
  if (given !== undefined)
    return isStructure(given) ? { ok: true, value: given } : { ok: false, detail: 'its structured output is no object' };
  const text = facts.result?.text ?? facts.lastMessage ?? '';
  try {
    const value = JSON.parse(text) as JsonValue;
    return isStructure(value) ? { ok: true, value } : { ok: false, detail: 'its last message is JSON, but no object' };
  } catch {
    // the words of the JSON parser differ between engines and say nothing to the reader of a plan
    return { ok: false, detail: text === '' ? 'it gave no last message' : 'its last message is no JSON' };
  }
}

function isStructure(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

function failed(outcome: Outcome, detail: string): Ending {
  return { kind: 'failed', outcome, detail };
}

function exitNote(exit: Exit): string[] {
  if (exit.signal !== null) return [`ended by ${exit.signal} after its result`];
  return exit.code === 0 ? [] : [`exit ${exit.code} after its result`];
}

function exitWords(exit: Exit, lastStderr: string | undefined): string {
  return withStderr(`exit ${exit.code}`, lastStderr);
}

function withStderr(words: string, lastStderr: string | undefined): string {
  return lastStderr ? `${words}: ${lastStderr}` : words;
}

// Commands to a running graph: who may say what, in order, stopping at the first refusal; each id once (run.md, Signals and commands).

import type { Command, CommandEnvelope } from '../messages.js';
import { applyCommand } from './apply.js';
import { list, type Draft } from './draft.js';
import { emit } from './emit.js';
import { raiseSurface } from './surfaces.js';
import type { Suspended } from './state.js';
import type { Author } from './words.js';

/** Answers are kept for this many ids. */
export const ANSWERS_KEPT = 1_000;

/** run.md, Signals and commands: everything; everything but attest; context, cancel, retry, surface; surface, note on itself, done. */
const ALLOWED: Record<Author, readonly Command['command'][] | 'all'> = {
  operator: 'all',
  planner: [
    ...(['reply', 'cancel', 'add', 'reparent', 'drop', 'retry', 'park', 'unpark', 'context', 'edit', 'surface'] as const),
    ...(['complete', 'done', 'set'] as const),
  ],
  monitor: ['context', 'cancel', 'retry', 'surface'],
  agent: ['surface', 'context', 'done'],
};

/** True when an author of this kind may say this command. */
export function mayCommand(author: Author, command: Command['command']): boolean {
  const allowed = ALLOWED[author];
  return allowed === 'all' || allowed.includes(command);
}

/** Applies an envelope; the same id twice is answered from memory. */
export function applyEnvelope(draft: Draft, envelope: CommandEnvelope): void {
  const { answers, suspended = [] } = draft.state;
  if (answers.some((answer) => answer.id === envelope.id) || suspended.some((one) => one.envelope.id === envelope.id)) return;
  applyFrom(draft, envelope, 0);
}

/**
 * Goes on with an envelope whose command waited for an answer of the world.
 * @param decide what the answer makes of that command: undefined applied, text refused
 */
export function resumeEnvelope(
  draft: Draft,
  key: string,
  decide: (command: Command, envelope: CommandEnvelope, id: string) => string | undefined,
): void {
  const found = draft.state.suspended?.find((one) => one.key === key);
  if (!found) return;
  draft.state.suspended = draft.state.suspended?.filter((one) => one !== found);
  const { envelope, at } = found;
  const reason = decide(envelope.commands[at] as Command, envelope, `${envelope.id}/${at}`);
  if (reason === undefined) applyFrom(draft, envelope, at + 1);
  else stop(draft, envelope, at, reason);
}

/** A run that ends answers what still waits. */
export function dismissSuspended(draft: Draft, reason: string): void {
  for (const { envelope, at } of draft.state.suspended ?? []) answer(draft, envelope.id, at, reason);
  delete draft.state.suspended;
}

function applyFrom(draft: Draft, envelope: CommandEnvelope, from: number): void {
  for (let at = from; at < envelope.commands.length; at++) {
    const command = envelope.commands[at] as Command;
    const id = `${envelope.id}/${at}`;
    const applied = mayCommand(envelope.author, command.command)
      ? applyCommand(draft, command, envelope, id)
      : `${envelope.author} may not ${command.command}`;
    if (typeof applied === 'string') return stop(draft, envelope, at, applied);
    if (applied !== undefined) return suspend(draft, { key: applied.awaits, envelope, at });
  }
  answer(draft, envelope.id, envelope.commands.length, undefined);
}

function suspend(draft: Draft, suspended: Suspended): void {
  draft.state.suspended = [...(draft.state.suspended ?? []), suspended];
}

function stop(draft: Draft, envelope: CommandEnvelope, at: number, reason: string): void {
  refuse(draft, envelope.author, envelope.commands[at]?.command ?? 'command', reason, envelope.by);
  answer(draft, envelope.id, at, reason);
}

/** Keeps the answer to an envelope; the oldest give way. An id that is answered is not answered again. */
export function answer(draft: Draft, id: string, applied: number, reason: string | undefined): void {
  if (draft.state.answers.some((one) => one.id === id)) return;
  const answers = list(draft, 'answers');
  answers.push({ id, applied: reason === undefined, applied_count: applied, ...(reason === undefined ? {} : { reason }) });
  if (answers.length > ANSWERS_KEPT) answers.splice(0, answers.length - ANSWERS_KEPT);
}

/** A refusal stays in the record, and a person is told. */
export function refuse(draft: Draft, author: string, command: string, reason: string, by?: string): void {
  emit(draft, 'edit-rejected', undefined, { author, by, command, reason });
  raiseSurface(draft, { kind: 'edit-rejected', message: `${command} by ${by ?? author} was refused: ${reason}`, source: 'run' });
}

// Commands to a running graph: who may say what, in order, stopping at the first refusal; each id once (run.md, Signals and commands).

import type { Command, CommandEnvelope } from '../messages.js';
import { cancelNode, cancelRun } from './cancellation.js';
import { editNode, list, nodeAt, type Draft } from './draft.js';
import { emit } from './emit.js';
import { isEnd } from './frontier.js';
import { retryNode, stopFlight } from './flights.js';
import { attestNode, startNode } from './settlement.js';
import { answerSurface, raiseSurface } from './surfaces.js';
import type { Author } from './words.js';

/** Answers are kept for this many ids. */
export const ANSWERS_KEPT = 1_000;

const ALLOWED: Record<Author, readonly Command['command'][] | 'all'> = {
  operator: 'all',
  planner: ['reply', 'cancel', 'retry', 'surface'],
  monitor: ['cancel', 'retry', 'surface'],
  agent: ['surface'],
};

/** True when an author of this kind may say this command. */
export function mayCommand(author: Author, command: Command['command']): boolean {
  const allowed = ALLOWED[author];
  return allowed === 'all' || allowed.includes(command);
}

/** Applies an envelope; the same id twice is answered from memory. */
export function applyEnvelope(draft: Draft, envelope: CommandEnvelope): void {
  if (draft.state.answers.some((answer) => answer.id === envelope.id)) return;
  let applied = 0;
  let reason: string | undefined;
  for (const command of envelope.commands) {
    reason = mayCommand(envelope.author, command.command)
      ? applyCommand(draft, command, envelope)
      : `${envelope.author} may not ${command.command}`;
    if (reason !== undefined) break;
    applied += 1;
  }
  const refused = envelope.commands[applied];
  if (reason !== undefined && refused) refuse(draft, envelope.author, refused.command, reason, envelope.by);
  answer(draft, envelope.id, applied, reason);
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

function applyCommand(draft: Draft, command: Command, envelope: CommandEnvelope): string | undefined {
  switch (command.command) {
    case 'attest':
      return attest(draft, command, envelope.by);
    case 'reply':
      return answerSurface(draft, command.surface, command.text, envelope.by, startNode);
    case 'cancel':
      return edited(draft, envelope, command.command, command.node, cancel(draft, command));
    case 'retry':
      return edited(draft, envelope, command.command, command.node, retry(draft, command));
    case 'surface':
      return raise(draft, command, envelope);
    default:
      return command satisfies never;
  }
}

function edited(
  draft: Draft,
  envelope: CommandEnvelope,
  command: string,
  node: string | undefined,
  refusal: string | undefined,
): string | undefined {
  if (refusal !== undefined) return refusal;
  const { author, by } = envelope;
  emit(draft, 'edit-committed', undefined, { author, by, command, operations: [{ op: command, node: node ?? null }] });
  if (author === 'monitor')
    raiseSurface(draft, { kind: 'monitor-edit', message: `${command} of ${node ?? 'the run'} by a monitor`, source: 'monitor' });
  return undefined;
}

function find(draft: Draft, id: string): number | string {
  return draft.graph.index.get(id) ?? `there is no node ${id}`;
}

function attest(draft: Draft, command: Extract<Command, { command: 'attest' }>, by: string | undefined): string | undefined {
  const i = find(draft, command.node);
  if (typeof i === 'string') return i;
  const { status } = nodeAt(draft, i);
  if (status !== 'waiting') return `${command.node} is not waiting: it is ${describe(draft, i)}`;
  if (command.fields !== undefined) return `${command.node} takes no fields`;
  return attestNode(draft, i, { choice: command.choice, by, note: command.note });
}

function describe(draft: Draft, i: number): string {
  const { status, outcome } = nodeAt(draft, i);
  return outcome === undefined ? status : `${status} (${outcome})`;
}

function cancel(draft: Draft, command: Extract<Command, { command: 'cancel' }>): string | undefined {
  const graceMs = command.grace === undefined ? undefined : command.grace * 1000;
  if (command.node === undefined) return cancelRun(draft, graceMs);
  const i = find(draft, command.node);
  if (typeof i === 'string') return i;
  if (isEnd(nodeAt(draft, i))) return `${command.node} has settled: it is ${describe(draft, i)}`;
  cancelNode(draft, i, graceMs);
  return undefined;
}

function retry(draft: Draft, command: Extract<Command, { command: 'retry' }>): string | undefined {
  if (draft.state.phase === 'cancelling') return 'the run is being cancelled';
  const i = find(draft, command.node);
  if (typeof i === 'string') return i;
  const { status } = nodeAt(draft, i);
  if (status === 'running') {
    if (command.note !== undefined) editNode(draft, i).note = command.note;
    stopFlight(draft, i, 'retry', undefined);
    return undefined;
  }
  if (status !== 'failed' && status !== 'cancelled')
    return `${command.node} is ${describe(draft, i)}: only what failed, was cancelled or runs can be retried`;
  retryNode(draft, i, command.note);
  return undefined;
}

function raise(draft: Draft, command: Extract<Command, { command: 'surface' }>, envelope: CommandEnvelope): string | undefined {
  const { node, message, blocking } = command;
  const i = node === undefined ? undefined : find(draft, node);
  if (typeof i === 'string') return i;
  if (blocking && i === undefined) return 'a blocking surface names the node it holds';
  raiseSurface(draft, {
    kind: 'surface',
    message,
    source: envelope.by ?? envelope.author,
    blocking,
    ...(i === undefined ? {} : { node: i }),
  });
  return undefined;
}

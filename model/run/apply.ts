// Which function takes which command. Refusals come back as words; what has to ask the world first says what it waits for.

import type { Command, CommandEnvelope, CommandOf } from '../messages.js';
import { cancelNode, cancelRun } from './cancellation.js';
import { completeRun } from './completing.js';
import { nodeAt, type Draft } from './draft.js';
import { addToGraph, dropFromGraph, reparentNode } from './edits.js';
import { editFields } from './edit-fields.js';
import { emit } from './emit.js';
import { isEnd } from './frontier.js';
import { retryNode, stopFlight } from './flights.js';
import { addNote, takeContext } from './notes.js';
import { parkNode, unparkNode } from './parking.js';
import { attestNode, startNode } from './settlement.js';
import { answerSurface, raiseSurface } from './surfaces.js';

/** undefined: applied. Text: refused, and why. `awaits`: an effect with this key is out, its answer decides. */
export type Applied = undefined | string | { awaits: string };

/** Applies one command. `id` is unique in the run: `<envelope id>/<index>`. */
export function applyCommand(draft: Draft, command: Command, envelope: CommandEnvelope, id: string): Applied {
  switch (command.command) {
    case 'attest':
      return attest(draft, command, envelope.by);
    case 'reply':
      return answerSurface(draft, command.surface, command.text, envelope.by, startNode);
    case 'surface':
      return raise(draft, command, envelope);
    case 'done':
      return done(draft, command, envelope);
    case 'context':
      return onNode(draft, command.node, (i) => takeContext(draft, i, command, id));
    case 'cancel':
    case 'retry':
    case 'add':
    case 'reparent':
    case 'drop':
    case 'park':
    case 'unpark':
    case 'edit':
    case 'complete':
    case 'set':
      return edited(draft, envelope, command, applyEdit(draft, command, id));
    default:
      return command satisfies never;
  }
}

type Edit = Exclude<Command, { command: 'attest' | 'reply' | 'surface' | 'done' | 'context' }>;

function applyEdit(draft: Draft, command: Edit, id: string): string | undefined {
  switch (command.command) {
    case 'cancel':
      return cancel(draft, command);
    case 'retry':
      return retry(draft, command, id);
    case 'add':
      return addToGraph(draft, command.spec);
    case 'reparent':
      return reparentNode(draft, command.node, command.needs);
    case 'drop':
      return dropFromGraph(draft, command.node, command.dependents);
    case 'park':
      return parkNode(draft, command.node);
    case 'unpark':
      return unparkNode(draft, command.node);
    case 'edit':
      return editFields(draft, command.node, command.fields);
    case 'complete':
      return completeRun(draft, command.reason);
    case 'set':
      draft.state.input = { ...draft.state.input, plan: { ...draft.state.input.plan, concurrency: command.concurrency } };
      return undefined;
    default:
      return command satisfies never;
  }
}

function edited(draft: Draft, envelope: CommandEnvelope, command: Edit, refusal: string | undefined): string | undefined {
  if (refusal !== undefined) return refusal;
  const { author, by } = envelope;
  const node = command.command === 'add' ? command.spec.id : 'node' in command ? command.node : undefined;
  emit(draft, 'edit-committed', undefined, {
    author,
    by,
    command: command.command,
    operations: [{ op: command.command, node: node ?? null }],
  });
  if (author === 'monitor')
    raiseSurface(draft, { kind: 'monitor-edit', message: `${command.command} of ${node ?? 'the run'} by a monitor`, source: 'monitor' });
  return undefined;
}

/** Runs `work` on the node, or says that there is none. */
export function onNode<T>(draft: Draft, id: string, work: (i: number) => T): T | string {
  const i = draft.graph.index.get(id);
  return i === undefined ? `there is no node ${id}` : work(i);
}

function find(draft: Draft, id: string): number | string {
  return draft.graph.index.get(id) ?? `there is no node ${id}`;
}

function attest(draft: Draft, command: CommandOf<'attest'>, by: string | undefined): string | undefined {
  const i = find(draft, command.node);
  if (typeof i === 'string') return i;
  const { status } = nodeAt(draft, i);
  if (status !== 'waiting') return `${command.node} is not waiting: it is ${describe(draft, i)}`;
  if (command.fields !== undefined) return `${command.node} takes no fields`;
  return attestNode(draft, i, { choice: command.choice, by, note: command.note });
}

/** What a node is, for a refusal: its status, and outcome. */
export function describe(draft: Draft, i: number): string {
  const { status, outcome } = nodeAt(draft, i);
  return outcome === undefined ? status : `${status} (${outcome})`;
}

function cancel(draft: Draft, command: CommandOf<'cancel'>): string | undefined {
  const graceMs = command.grace === undefined ? undefined : command.grace * 1000;
  if (command.node === undefined) return cancelRun(draft, graceMs);
  const i = find(draft, command.node);
  if (typeof i === 'string') return i;
  if (isEnd(nodeAt(draft, i))) return `${command.node} has settled: it is ${describe(draft, i)}`;
  cancelNode(draft, i, graceMs);
  return undefined;
}

function retry(draft: Draft, command: CommandOf<'retry'>, id: string): string | undefined {
  if (draft.state.phase === 'cancelling') return 'the run is being cancelled';
  const i = find(draft, command.node);
  if (typeof i === 'string') return i;
  const { status } = nodeAt(draft, i);
  const note = command.note === undefined ? undefined : { id, text: command.note };
  if (status === 'running') {
    if (note !== undefined) addNote(draft, i, note);
    stopFlight(draft, i, 'retry', undefined);
    return undefined;
  }
  if (status !== 'failed' && status !== 'cancelled')
    return `${command.node} is ${describe(draft, i)}: only what failed, was cancelled or runs can be retried`;
  retryNode(draft, i, note);
  return undefined;
}

function raise(draft: Draft, command: CommandOf<'surface'>, envelope: CommandEnvelope): string | undefined {
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

function done(draft: Draft, { node, reason, message }: CommandOf<'done'>, envelope: CommandEnvelope): string | undefined {
  const i = node === undefined ? undefined : find(draft, node);
  if (typeof i === 'string') return i;
  emit(draft, 'completion-requested', i, { author: envelope.author, by: envelope.by, reason, message });
  return undefined;
}

// Names, types and zod of everything that is said to a run: the wire between client, dispatches and workflow.

import { z } from 'zod';
import { AUTHORS } from './run/words.js';

export const SIGNALS = { attest: 'attest', reply: 'reply', cancel: 'cancel', command: 'command', report: 'report' } as const;
export const QUERIES = {
  answer: 'answer',
  status: 'status',
  nodes: 'nodes',
  events: 'events',
  surfaces: 'surfaces',
  result: 'result',
} as const;

const text = z.string().max(65_536);
const nodeId = z.string().min(1).max(200);

const attest = z.strictObject({
  node: nodeId,
  choice: z.string().optional(),
  fields: z.record(z.string(), z.json()).optional(),
  note: text.optional(),
});
const reply = z.strictObject({ surface: z.int().positive(), text });
const cancel = z.strictObject({ node: nodeId.optional(), grace: z.number().min(0).optional() });
const retry = z.strictObject({ node: nodeId, note: text.optional() });
const surface = z.strictObject({ node: nodeId.optional(), message: text, blocking: z.boolean().default(false) });

/** One command of an envelope. Commands that a later release brings are added to this union. `grace` is in seconds. */
export const Command = z.discriminatedUnion('command', [
  attest.extend({ command: z.literal('attest') }),
  reply.extend({ command: z.literal('reply') }),
  cancel.extend({ command: z.literal('cancel') }),
  retry.extend({ command: z.literal('retry') }),
  surface.extend({ command: z.literal('surface') }),
]);
export type Command = z.infer<typeof Command>;

export const CommandEnvelope = z.strictObject({
  id: z.string().min(1).max(200),
  author: z.enum(AUTHORS),
  by: z.string().max(200).optional(),
  commands: z.array(Command).min(1).max(100),
  at: z.string().optional(),
});
export type CommandEnvelope = z.infer<typeof CommandEnvelope>;

const plain = { id: z.string().min(1).max(200).optional(), by: z.string().max(200).optional() };
/** The plain signals carry the command's own fields, so that Temporal's own CLI can send them. */
export const PlainSignal = {
  attest: attest.extend(plain),
  reply: reply.extend(plain),
  cancel: cancel.extend(plain),
} as const;

/** What a dispatch tells its run while it lasts; ordered and deduplicated by `n` (from 1 in each attempt). */
export const Fact = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('started'), at: z.string(), host: z.string(), session: z.string().optional() }),
  z.strictObject({ kind: z.literal('asked-again'), at: z.string(), attempt: z.int(), reason: z.string() }),
  z.strictObject({ kind: z.literal('stopping'), at: z.string(), host: z.string() }),
  z.strictObject({ kind: z.literal('quiet'), at: z.string(), sinceMs: z.number() }),
  z.strictObject({ kind: z.literal('lively'), at: z.string() }),
]);
export type Fact = z.infer<typeof Fact>;

export const Report = z.strictObject({ dispatch: z.string(), attempt: z.int().positive(), n: z.int().positive(), facts: z.array(Fact) });
export type Report = z.infer<typeof Report>;

export interface EventsQuery {
  after: number;
  limit: number;
}
export interface NodesQuery {
  /** index in plan order to start from */
  after: number;
  limit: number;
}

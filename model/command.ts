// What people, supervising agents and agents inside a dispatch can tell a run to do (run.md, Signals and commands).

import { z } from 'zod';
import { EditFields, NeedSpec, NodeSpecSchema } from './plan/compiled-schema.js';
import { AUTHORS } from './run/words.js';

const text = z.string().max(65_536);
const nodeId = z.string().min(1).max(200);
/** base64 of an Ed25519 signature, where the project's gates are signed */
const signature = z.string().max(200);

const attest = z.strictObject({
  node: nodeId,
  choice: z.string().optional(),
  fields: z.record(z.string(), z.json()).optional(),
  note: text.optional(),
  signature: signature.optional(),
});
const reply = z.strictObject({ surface: z.int().positive(), text, signature: signature.optional() });
/** `grace` in seconds; 0 kills now */
const cancel = z.strictObject({ node: nodeId.optional(), grace: z.number().min(0).optional() });

/** One command of an envelope, as the table of run.md has them. */
export const Command = z.discriminatedUnion('command', [
  attest.extend({ command: z.literal('attest') }),
  reply.extend({ command: z.literal('reply') }),
  cancel.extend({ command: z.literal('cancel') }),
  z.strictObject({ command: z.literal('add'), spec: NodeSpecSchema }),
  z.strictObject({ command: z.literal('reparent'), node: nodeId, needs: z.array(NeedSpec).max(10_000) }),
  z.strictObject({ command: z.literal('drop'), node: nodeId, dependents: z.enum(['refuse', 'detach', 'drop']).default('refuse') }),
  z.strictObject({ command: z.literal('retry'), node: nodeId, note: text.optional() }),
  z.strictObject({ command: z.literal('park'), node: nodeId }),
  z.strictObject({ command: z.literal('unpark'), node: nodeId }),
  z.strictObject({
    command: z.literal('context'),
    node: nodeId,
    note: text.min(1),
    deliver: z.enum(['auto', 'live', 'next']).default('auto'),
  }),
  z.strictObject({ command: z.literal('edit'), node: nodeId, fields: EditFields }),
  z.strictObject({ command: z.literal('surface'), node: nodeId.optional(), message: text.min(1), blocking: z.boolean().default(false) }),
  z.strictObject({ command: z.literal('complete'), reason: text.min(1) }),
  z.strictObject({ command: z.literal('done'), node: nodeId.optional(), reason: text.min(1), message: text.optional() }),
  z.strictObject({ command: z.literal('set'), concurrency: z.int().min(1).max(1_000) }),
]);
export type Command = z.infer<typeof Command>;
export type CommandOf<K extends Command['command']> = Extract<Command, { command: K }>;

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

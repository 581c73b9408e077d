// What a dispatch tells its run while it lasts (run.md, Dispatches). Ordered and deduplicated by attempt and `n`.

import { z } from 'zod';

const at = z.string();
const text = z.string().max(65_536);

export const Fact = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('started'), at, host: z.string(), session: z.string().optional() }),
  z.strictObject({ kind: z.literal('asked-again'), at, attempt: z.int(), reason: z.string() }),
  z.strictObject({ kind: z.literal('stopping'), at, host: z.string() }),
  z.strictObject({ kind: z.literal('quiet'), at, sinceMs: z.number() }),
  z.strictObject({ kind: z.literal('lively'), at }),
  /** raised from inside. `key` is unique in the dispatch; `waits`: a tool call of the agent waits for the reply */
  z.strictObject({ kind: z.literal('surface'), at, key: z.string(), message: text, blocking: z.boolean(), waits: z.boolean() }),
  /** the waiting tool call has been given the reply of the surface with this key: it does not ride the next dispatch too */
  z.strictObject({ kind: z.literal('reply-taken'), at, key: z.string() }),
  /** rides the node's own next dispatch */
  z.strictObject({ kind: z.literal('note'), at, text }),
  z.strictObject({ kind: z.literal('done'), at, reason: text, message: text.optional() }),
  /** what was tried from inside and may not be */
  z.strictObject({ kind: z.literal('refused'), at, tried: text, reason: text }),
]);
export type Fact = z.infer<typeof Fact>;

export const Report = z.strictObject({ dispatch: z.string(), attempt: z.int().positive(), n: z.int().positive(), facts: z.array(Fact) });
export type Report = z.infer<typeof Report>;

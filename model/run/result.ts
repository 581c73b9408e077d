// The result document, version 3 (run.md, The result). Written once, read strictly.

import { z } from 'zod';
import { STATUSES } from './words.js';

const NodeResult = z.strictObject({
  id: z.string(),
  status: z.enum(STATUSES),
  outcome: z.string().optional(),
  landing: z.enum(['landed', 'unlanded']).optional(),
  action: z.string().optional(),
  unblocks: z.array(z.string()).optional(),
  blocked_by: z.array(z.string()).optional(),
  branch: z.string().optional(),
  change_url: z.string().optional(),
});

export const ResultV3 = z.strictObject({
  schema_version: z.literal(3),
  run_id: z.string(),
  state: z.enum(['complete', 'waiting', 'failed']),
  ok: z.boolean(),
  nodes: z.array(NodeResult),
});
export type ResultV3 = z.infer<typeof ResultV3>;

/**
 * Reads a result document. `ok` is derived from `state`, never believed.
 * @returns the document, or one sentence that says what is wrong and with which version
 */
export function parseResult(json: unknown): { ok: true; result: ResultV3 } | { ok: false; reason: string } {
  const version = (json as { schema_version?: unknown } | null)?.schema_version;
  if (version === undefined) return { ok: false, reason: 'result document without schema_version' };
  if (version !== 3) return { ok: false, reason: `result document of schema_version ${JSON.stringify(version)}; this build reads 3` };
  const parsed = ResultV3.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { ok: false, reason: `result document: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unreadable'}` };
  }
  return { ok: true, result: { ...parsed.data, ok: parsed.data.state === 'complete' } };
}

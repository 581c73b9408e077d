// Reads the counters that the attempt before left in its heartbeat (run.md, Dispatches). Another version may have written them.

import { z } from 'zod';
import type { Progress } from '../../model/agent/attempts.js';

const count = z.int().nonnegative();
const Usage = z.object({
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  costUsd: z.number().optional(),
  turns: z.number(),
});

const Details = z.object({
  attempt: z.int().positive(),
  phase: z.enum(['running', 'silence', 'failure', 'handover']),
  silences: count,
  failures: count,
  deaths: count,
  handovers: count,
  host: z.string(),
  session: z.string().optional(),
  spoke: z.boolean(),
  attempts: z.array(z.object({ attempt: z.int(), startedAt: z.string(), reason: z.string().optional() })),
  usage: Usage.optional(),
  sessionUsage: Usage.optional(),
});

/**
 * @param details `activityInfo().heartbeatDetails`
 * @returns undefined when there are none, or none that can be read: then the attempt before counts as one that died unheard
 */
export function readProgress(details: unknown): Progress | undefined {
  if (details === undefined || details === null) return undefined;
  return Details.safeParse(details).data;
}

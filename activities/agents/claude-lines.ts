// The lines of claude's `stream-json` that say something, as zod schemas (agent-clis.md; fixtures/agents).
// Only the fields that are read; what is not listed may change without harm.

import { z } from 'zod';
import type { JsonValue } from '../../model/json.js';

const Tokens = z.object({
  input_tokens: z.number().optional(),
  cache_creation_input_tokens: z.number().optional(),
  cache_read_input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
});

const Block = z.object({
  type: z.string(),
  text: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  content: z.unknown().optional(),
});

const System = z.object({
  type: z.literal('system'),
  subtype: z.string(),
  session_id: z.string().optional(),
  /** of `api_retry` */
  attempt: z.number().optional(),
  max_retries: z.number().optional(),
  error_status: z.number().nullish(),
  error: z.string().nullish(),
});

const Assistant = z.object({
  type: z.literal('assistant'),
  message: z.object({ model: z.string().optional(), content: z.array(Block) }),
  /** set in the messages of a sub-agent */
  parent_tool_use_id: z.string().nullish(),
  /** set in messages that the CLI made up for an API error */
  error: z.string().nullish(),
});

const User = z.object({ type: z.literal('user'), message: z.object({ content: z.union([z.string(), z.array(Block)]) }) });

const RateLimit = z.object({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.object({
    status: z.string(),
    /** epoch, seconds */
    resetsAt: z.number().optional(),
    rateLimitType: z.string().optional(),
    isUsingOverage: z.boolean().optional(),
  }),
});

const ModelTokens = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadInputTokens: z.number(),
  cacheCreationInputTokens: z.number(),
  thinkingTokens: z.number().optional(),
  costUSD: z.number().optional(),
});
export type ClaudeModelTokens = z.infer<typeof ModelTokens>;

const Result = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean().optional(),
  api_error_status: z.number().nullish(),
  result: z.string().optional(),
  session_id: z.string().optional(),
  num_turns: z.number().optional(),
  total_cost_usd: z.number().optional(),
  usage: Tokens.optional(),
  /** with `total_cost_usd` the total of the process in 2.1.197, of the session in 2.1.332 */
  modelUsage: z.record(z.string(), ModelTokens).optional(),
  /** what this result adds, from some version after 2.1.197 on */
  model_usage_since_last_result: z.record(z.string(), ModelTokens).optional(),
  structured_output: z.custom<JsonValue>().optional(),
  errors: z.array(z.string()).optional(),
});
export type ClaudeResult = z.infer<typeof Result>;

const ClaudeLine = z.discriminatedUnion('type', [System, Assistant, User, RateLimit, Result]);
export type ClaudeLine = z.infer<typeof ClaudeLine>;
export type ClaudeAssistant = z.infer<typeof Assistant>;

/** @returns undefined for lines of other types or shapes */
export function readClaudeLine(value: unknown): ClaudeLine | undefined {
  const read = ClaudeLine.safeParse(value);
  return read.success ? read.data : undefined;
}

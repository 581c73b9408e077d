// The lines of `codex exec --json` that say something, as zod schemas (agent-clis.md; fixtures/agents).
// Only the fields that are read; what is not listed may change without harm.

import { z } from 'zod';

const Item = z.object({
  id: z.string(),
  type: z.string(),
  text: z.string().optional(),
  message: z.string().optional(),
  command: z.string().optional(),
  aggregated_output: z.string().optional(),
  /** of `mcp_tool_call` */
  server: z.string().optional(),
  tool: z.string().optional(),
  query: z.string().optional(),
  changes: z.unknown().optional(),
});
export type CodexItem = z.infer<typeof Item>;

const Tokens = z.object({
  input_tokens: z.number().optional(),
  cached_input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
  reasoning_output_tokens: z.number().optional(),
});

const CodexLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.literal('turn.started') }),
  z.object({ type: z.literal('item.started'), item: Item }),
  z.object({ type: z.literal('item.updated'), item: Item }),
  z.object({ type: z.literal('item.completed'), item: Item }),
  z.object({ type: z.literal('turn.completed'), usage: Tokens.optional() }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);
export type CodexLine = z.infer<typeof CodexLine>;

/** @returns undefined for lines of other types or shapes */
export function readCodexLine(value: unknown): CodexLine | undefined {
  const read = CodexLine.safeParse(value);
  return read.success ? read.data : undefined;
}

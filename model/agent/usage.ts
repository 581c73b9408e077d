// Tokens and cost by one meaning for every CLI (agents.md, Cost; case O-53). Knows the vendors' field names, not their streams.

import type { Usage } from './events.js';

/** claude: `input_tokens` is without cache reads, what it wrote to the cache was sent uncached, thinking is part of output. */
export interface ClaudeTokens {
  input_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  output_tokens?: number;
  thinking_tokens?: number;
}

/** codex: `cached_input_tokens` is part of `input_tokens`, and reasoning is part of output. */
export interface CodexTokens {
  input_tokens?: number;
  cached_input_tokens?: number;
  output_tokens?: number;
  reasoning_output_tokens?: number;
}

/** @param cost USD as reported; undefined = unknown */
export function claudeUsage(tokens: ClaudeTokens, turns: number, cost?: number): Usage {
  return withCost(
    {
      inputTokens: (tokens.input_tokens ?? 0) + (tokens.cache_creation_input_tokens ?? 0),
      cachedInputTokens: tokens.cache_read_input_tokens ?? 0,
      outputTokens: tokens.output_tokens ?? 0,
      reasoningTokens: tokens.thinking_tokens ?? 0,
      turns,
    },
    cost,
  );
}

/** codex tells no cost. More cached than sent would be its defect: uncached input is never below zero. */
export function codexUsage(tokens: CodexTokens, turns: number): Usage {
  const cached = tokens.cached_input_tokens ?? 0;
  return {
    inputTokens: Math.max(0, (tokens.input_tokens ?? 0) - cached),
    cachedInputTokens: cached,
    outputTokens: tokens.output_tokens ?? 0,
    reasoningTokens: tokens.reasoning_output_tokens ?? 0,
    turns,
  };
}

const COUNTS = ['inputTokens', 'cachedInputTokens', 'outputTokens', 'reasoningTokens'] as const;

/**
 * What a turn used, of a running total and the total before it. `turns` stay those of `total`: no CLI totals them over a thread.
 * A total below the one before was counted afresh (a thread forked or rebuilt) and stands whole.
 */
export function subtractUsage(total: Usage, before: Usage): Usage {
  if (COUNTS.some((count) => total[count] < before[count])) return { ...total };
  const used = { ...total };
  for (const count of COUNTS) used[count] = total[count] - before[count];
  if (total.costUsd !== undefined && before.costUsd !== undefined) used.costUsd = Math.max(0, total.costUsd - before.costUsd);
  return used;
}

/** The sum, cost unknown as soon as one part's is. @returns undefined for none: nothing known is not zero */
export function addUsage(parts: readonly Usage[]): Usage | undefined {
  if (parts.length === 0) return undefined;
  const sum = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0, turns: 0 };
  for (const part of parts) for (const count of [...COUNTS, 'turns'] as const) sum[count] += part[count];
  const costs = parts.map((part) => part.costUsd).filter((cost) => cost !== undefined);
  return withCost(sum, costs.length === parts.length ? costs.reduce((a, b) => a + b, 0) : undefined);
}

export interface UsageReading {
  usage: Usage;
  cumulative: 'thread' | 'process' | 'turn';
}

/**
 * The usage of one attempt from its stream's usage events, by what each CLI means with them: a thread's or a process's last
 * total counts, turns add up. `before` is the thread's total at the start, for a continued session.
 * @returns `thread`: the running total to remember for the next continuation, where the CLI keeps one
 */
export function countUsage(readings: readonly UsageReading[], before?: Usage): { usage?: Usage; thread?: Usage } {
  const last = readings.at(-1);
  if (last === undefined) return before === undefined ? {} : { thread: before };
  switch (last.cumulative) {
    case 'turn':
      return { usage: addUsage(readings.map((reading) => reading.usage))! };
    case 'process':
      return { usage: last.usage };
    case 'thread': {
      const total = { ...last.usage, turns: readings.reduce((turns, reading) => turns + reading.usage.turns, 0) };
      return { usage: before === undefined ? total : subtractUsage(total, before), thread: total };
    }
    default:
      return last.cumulative satisfies never;
  }
}

function withCost(usage: Usage, cost: number | undefined): Usage {
  return cost === undefined ? usage : { ...usage, costUsd: cost };
}

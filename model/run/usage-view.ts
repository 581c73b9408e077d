// Usage as it leaves the program, and its sums. An unknown cost stays unknown: it is never zero (agents.md, Cost).

import type { Usage } from '../agent/events.js';
import type { UsageView } from './views.js';

const NONE: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0, turns: 0 };

/** Tokens and turns added; costs added where both or one is known. */
export function sumUsage(a: Usage | undefined, b: Usage): Usage {
  const left = a ?? NONE;
  const costs = [left.costUsd, b.costUsd].filter((cost) => cost !== undefined);
  return {
    inputTokens: left.inputTokens + b.inputTokens,
    cachedInputTokens: left.cachedInputTokens + b.cachedInputTokens,
    outputTokens: left.outputTokens + b.outputTokens,
    reasoningTokens: left.reasoningTokens + b.reasoningTokens,
    turns: left.turns + b.turns,
    ...(costs.length === 0 ? {} : { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
  };
}

/** @param costUnknown at least one dispatch could not say what it cost */
export function usageView(usage: Usage | undefined, costUnknown = false): UsageView & Record<string, number | boolean> {
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens, turns, costUsd } = usage ?? NONE;
  return {
    input_tokens: inputTokens,
    cached_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    reasoning_tokens: reasoningTokens,
    turns,
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
    ...(costUnknown ? { cost_unknown: true } : {}),
  };
}

// The tokens and cost of a result line of claude: which of its three counts is the one to trust.

import type { AgentEvent } from '../../model/agent/events.js';
import { claudeUsage } from '../../model/agent/usage.js';
import type { ClaudeTokens } from '../../model/agent/usage.js';
import type { ClaudeModelTokens, ClaudeResult } from './claude-lines.js';

/**
 * `model_usage_since_last_result` is exact, and adds up. `modelUsage` with `total_cost_usd` is a total that newer versions carry
 * on over resumes; the versions without the first count keep it for the process. `usage` leaves out the last request when a limit
 * ends the turn, and every other model, so that it is the last resort.
 */
export function claudeUsageEvents(line: ClaudeResult): AgentEvent[] {
  const turns = line.num_turns ?? 0;
  const added = Object.values(line.model_usage_since_last_result ?? {});
  if (line.model_usage_since_last_result !== undefined) {
    return [{ kind: 'usage', usage: claudeUsage(sum(added), turns, cost(added)), cumulative: 'turn' }];
  }
  const models = Object.values(line.modelUsage ?? {});
  const tokens = models.length > 0 ? sum(models) : line.usage;
  if (tokens === undefined) return [];
  return [{ kind: 'usage', usage: claudeUsage(tokens, turns, line.total_cost_usd), cumulative: 'process' }];
}

function sum(models: readonly ClaudeModelTokens[]): ClaudeTokens {
  const of = (field: Exclude<keyof ClaudeModelTokens, 'costUSD'>) => models.reduce((total, model) => total + (model[field] ?? 0), 0);
  return {
    input_tokens: of('inputTokens'),
    cache_creation_input_tokens: of('cacheCreationInputTokens'),
    cache_read_input_tokens: of('cacheReadInputTokens'),
    output_tokens: of('outputTokens'),
    thinking_tokens: of('thinkingTokens'),
  };
}

/** Unknown as soon as one model's is. */
function cost(models: readonly ClaudeModelTokens[]): number | undefined {
  if (models.some((model) => model.costUSD === undefined)) return undefined;
  return models.reduce((total, model) => total + model.costUSD!, 0);
}

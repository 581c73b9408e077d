// Tokens and cost by one meaning, and running totals (case O-53).

import { describe, expect, it } from '@jest/globals';
import type { Usage } from '../../../model/agent/events.js';
import { addUsage, claudeUsage, codexUsage, countUsage, subtractUsage } from '../../../model/agent/usage.js';

const counted = { inputTokens: 500, cachedInputTokens: 500, outputTokens: 200, reasoningTokens: 0, turns: 1 };

describe('usage by one meaning (O-53)', () => {
  it('takes the cached part out of the input of codex', () => {
    expect(codexUsage({ input_tokens: 1000, cached_input_tokens: 500, output_tokens: 200 }, 1)).toEqual(counted);
  });

  it('leaves the input of claude, which is without it', () => {
    expect(claudeUsage({ input_tokens: 500, cache_read_input_tokens: 500, output_tokens: 200 }, 1)).toEqual(counted);
  });

  it('counts what claude wrote to the cache as sent', () => {
    expect(claudeUsage({ input_tokens: 500, cache_creation_input_tokens: 50 }, 1).inputTokens).toBe(550);
  });

  it('reads a record without the cached field as 0 cached', () => {
    expect(codexUsage({ input_tokens: 1000, output_tokens: 200 }, 1)).toMatchObject({ inputTokens: 1000, cachedInputTokens: 0 });
    expect(claudeUsage({ input_tokens: 500, output_tokens: 200 }, 1)).toMatchObject({ inputTokens: 500, cachedInputTokens: 0 });
  });

  it('never counts below zero', () => {
    expect(codexUsage({ input_tokens: 1, cached_input_tokens: 2 }, 1).inputTokens).toBe(0);
  });
});

function usage(n: number, more: Partial<Usage> = {}): Usage {
  return { inputTokens: 60 * n, cachedInputTokens: 40 * n, outputTokens: 20 * n, reasoningTokens: 5 * n, turns: 1, ...more };
}

describe('running totals', () => {
  it('subtracts the total before', () => {
    expect(subtractUsage(usage(3), usage(2))).toEqual(usage(1));
  });

  it('takes a total that has begun anew whole', () => {
    expect(subtractUsage(usage(1), usage(2))).toEqual(usage(1));
  });

  it('subtracts cost only where both are known', () => {
    expect(subtractUsage(usage(2, { costUsd: 0.5 }), usage(1, { costUsd: 0.2 })).costUsd).toBeCloseTo(0.3);
    expect(subtractUsage(usage(2, { costUsd: 0.5 }), usage(1)).costUsd).toBe(0.5);
  });
});

describe('countUsage', () => {
  it('of a thread is the last total without what was before, and hands the total on', () => {
    const readings = [2, 3].map((n) => ({ usage: usage(n), cumulative: 'thread' as const }));
    expect(countUsage(readings, usage(1))).toEqual({ usage: usage(2, { turns: 2 }), thread: usage(3, { turns: 2 }) });
    expect(countUsage(readings)).toEqual({ usage: usage(3, { turns: 2 }), thread: usage(3, { turns: 2 }) });
  });

  it('of a process is its last total', () => {
    const readings = [1, 2].map((n) => ({ usage: usage(n, { costUsd: n }), cumulative: 'process' as const }));
    expect(countUsage(readings, usage(9))).toEqual({ usage: usage(2, { costUsd: 2 }) });
  });

  it('of turns adds up', () => {
    const readings = [1, 2].map((n) => ({ usage: usage(n), cumulative: 'turn' as const }));
    expect(countUsage(readings)).toEqual({ usage: usage(3, { turns: 2 }) });
  });

  it('of nothing told is unknown, and the thread keeps its total', () => {
    expect(countUsage([])).toEqual({});
    expect(countUsage([], usage(1))).toEqual({ thread: usage(1) });
  });
});

describe('addUsage', () => {
  it('knows the cost only when every part does', () => {
    expect(addUsage([usage(1, { costUsd: 1 }), usage(1, { costUsd: 2 })])?.costUsd).toBe(3);
    expect(addUsage([usage(1, { costUsd: 1 }), usage(1)])).toEqual(usage(2, { turns: 2 }));
    expect(addUsage([])).toBeUndefined();
  });
});

// Durations as people write them.

import { describe, expect, it } from '@jest/globals';
import { MAX_TIMEOUT_MS, durationMs, parseDuration } from '../../model/duration.js';

describe('a duration', () => {
  it.each([
    ['45m', 2_700_000],
    ['2h', 7_200_000],
    ['1h30m', 5_400_000],
    ['90s', 90_000],
    ['500ms', 500],
    ['7d', 604_800_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['0h5m', 300_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toEqual({ ok: true, ms });
    expect(durationMs(text)).toBe(ms);
  });

  it.each([
    ['0', 'is not a duration'],
    ['0s', 'is zero'],
    ['0h0m', 'is zero'],
    ['-5m', 'is negative'],
    ['', 'is not a duration'],
    ['5', 'is not a duration'],
    ['m', 'is not a duration'],
    ['5 m', 'is not a duration'],
    ['30m1h', 'is not a duration'],
    ['1.5h', 'is not a duration'],
    ['1e3s', 'is not a duration'],
    ['soon', 'is not a duration'],
    ['99999d', 'is too long'],
  ])('%p is refused: it %s', (text, reason) => {
    expect(parseDuration(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it('of a dispatch is shorter than what overflows a timer', () => {
    expect(MAX_TIMEOUT_MS).toBeLessThan(2 ** 31);
    expect(parseDuration('25d', MAX_TIMEOUT_MS)).toEqual({ ok: false, reason: expect.stringContaining('at most 24d') });
  });
});

// Every wording of a limit that CLIs were seen to use, and how long it is waited for (case O-11).

import { describe, expect, it } from '@jest/globals';
import {
  EXACT_CAP_MS,
  FALLBACK_MS,
  WORDING_CAP_MS,
  isQuotaWording,
  quotaHint,
  quotaWaitMs,
  readResetHint,
} from '../../../model/agent/quota.js';

const HOUR = 3_600_000;
const NOW = '2026-04-24T15:10:00.000Z';

/** A zone table of a few names; the worker's own zone is Berlin's. */
function zone(name: string | undefined, utcMs: number): number | undefined {
  switch (name) {
    case 'UTC':
      return 0;
    case 'Asia/Jerusalem':
      return 180;
    case 'America/New_York':
      return -240;
    case undefined:
    case 'Europe/Berlin':
      // summer time of 2026: 29 March to 25 October, 01:00 UTC
      return utcMs >= Date.UTC(2026, 2, 29, 1) && utcMs < Date.UTC(2026, 9, 25, 1) ? 120 : 60;
    default:
      return undefined;
  }
}

describe('the wordings of case O-11', () => {
  const MINUTES: [wording: string, minutes: number][] = [
    ["You've hit your limit · resets 6:30pm (Asia/Jerusalem)", 20],
    ["You've hit your session limit · resets 3:25pm (UTC)", 15],
    ["You've hit your weekly limit · resets Apr 27, 9am (UTC)", 30],
    ['usage limit reached, try again later', 5],
    ['... resets 3:05pm (UTC)', 30],
    ['resets 6:30pm (Mars/Base)', 5],
  ];
  it.each(MINUTES)('%s: quota, waited for %i min', (wording, minutes) => {
    expect(isQuotaWording(wording)).toBe(true);
    expect(quotaWaitMs(quotaHint(wording, Date.parse(NOW), zone), Date.parse(NOW))).toBe(minutes * 60_000);
  });
});

describe('readResetHint', () => {
  const READ: [wording: string, resetAt: string | undefined][] = [
    // claude
    ['limit reached ∙ resets 5am', '2026-04-25T03:00:00.000Z'],
    ['resets 4:50am (Europe/Berlin)', '2026-04-25T02:50:00.000Z'],
    ['weekly limit · resets Dec 4, 1:45am (UTC)', '2026-12-04T01:45:00.000Z'],
    ['resets Apr 20, 9am (UTC)', '2027-04-20T09:00:00.000Z'],
    ['resets 12am (UTC)', '2026-04-25T00:00:00.000Z'],
    ['resets 12:30pm (UTC)', '2026-04-25T12:30:00.000Z'],
    ['Your limit will reset at 3pm (America/New_York).', '2026-04-24T19:00:00.000Z'],
    ['You will regain access on 2026-05-01 at 00:00 UTC.', '2026-05-01T00:00:00.000Z'],
    // codex: local time, no zone, both cases, a narrow space before PM
    ['You’ve hit your usage limit. … or try again at 6:51 PM.', '2026-04-24T16:51:00.000Z'],
    ['try again at 6:51\u202fPM.', '2026-04-24T16:51:00.000Z'],
    ['Try again at Dec 1st, 2026 11:37 PM.', '2026-12-01T22:37:00.000Z'],
    ['or try again at Apr 23rd, 2026 11:37 PM.', undefined],
    ['try again later.', undefined],
    // durations
    ['try again in 1h 12m', '2026-04-24T16:22:00.000Z'],
    ['Resets in 1h2m49s.', '2026-04-24T16:12:49.000Z'],
    ['Please try again in 2s.', '2026-04-24T15:10:02.000Z'],
    ['Please retry in 41.5s.', '2026-04-24T15:10:41.500Z'],
    ['Please try again in 577ms.', '2026-04-24T15:10:00.577Z'],
    ['try again in 3 days, 2 hours and 5 minutes', '2026-04-27T17:15:00.000Z'],
    // other forms
    ['resets 18:30 (UTC)', '2026-04-24T18:30:00.000Z'],
    ['resets at 2026-04-24T18:30:00.000Z', '2026-04-24T18:30:00.000Z'],
    ['resets 5', undefined],
    ['resets 25:00', undefined],
    ['resets 13pm (UTC)', undefined],
    ['it presets 5pm', undefined],
    ['nothing of the kind', undefined],
    // the first time that can be read counts
    ['try again later, resets 6pm (UTC)', '2026-04-24T18:00:00.000Z'],
  ];
  it.each(READ)('reads %j', (wording, resetAt) => {
    expect(readResetHint(wording, NOW, zone)).toBe(resetAt);
  });

  it('reads a clock time across a change of summer time', () => {
    expect(readResetHint('resets 5am (Europe/Berlin)', '2026-03-28T20:00:00.000Z', zone)).toBe('2026-03-29T03:00:00.000Z');
    expect(readResetHint('resets 5am (Europe/Berlin)', '2026-10-24T20:00:00.000Z', zone)).toBe('2026-10-25T04:00:00.000Z');
  });

  it("takes the day of the hint's zone, not of UTC", () => {
    expect(readResetHint('resets 1am (Asia/Jerusalem)', '2026-04-24T21:30:00.000Z', zone)).toBe('2026-04-24T22:00:00.000Z');
  });
});

describe('quotaHint', () => {
  const now = Date.parse(NOW);
  it('trusts an epoch whole, up to 8 days', () => {
    expect(quotaHint('x', now, zone, now / 1000 + 6 * 24 * 3600)).toEqual({ exact: true, text: 'x', resetAt: '2026-04-30T15:10:00.000Z' });
    expect(quotaHint('x', now, zone, now / 1000 + 9 * 24 * 3600).resetAt).toBe(new Date(now + EXACT_CAP_MS).toISOString());
  });

  it('reads an epoch inside a text as exact, in seconds and milliseconds', () => {
    const epoch = now / 1000 + 7200;
    const hint = { exact: true, resetAt: '2026-04-24T17:10:00.000Z' };
    expect(quotaHint(`Claude AI usage limit reached|${epoch}`, now, zone)).toMatchObject(hint);
    expect(quotaHint(`limit reached|${epoch}000`, now, zone)).toMatchObject(hint);
  });

  it('falls back to the wording when the epoch is past', () => {
    expect(quotaHint('resets 3:25pm (UTC)', now, zone, now / 1000 - 5)).toMatchObject({
      exact: false,
      resetAt: '2026-04-24T15:25:00.000Z',
    });
  });
});

describe('quotaWaitMs', () => {
  const now = Date.parse(NOW);
  const inMs = (ms: number, exact: boolean) => ({ exact, text: 'x', resetAt: new Date(now + ms).toISOString() });

  it('waits for an exact time whole, however often it is refused', () => {
    expect(quotaWaitMs(inMs(5 * HOUR, true), now, WORDING_CAP_MS)).toBe(5 * HOUR);
  });

  it('doubles a wait that did not help, up to 30 min', () => {
    const none = { exact: false, text: 'x' };
    const waits = [quotaWaitMs(none, now)];
    for (let i = 0; i < 3; i++) waits.push(quotaWaitMs(none, now, waits.at(-1)));
    expect(waits.map((ms) => ms / 60_000)).toEqual([5, 10, 20, 30]);
    expect(quotaWaitMs(inMs(2_000, false), now, 4_000)).toBe(8_000);
  });

  it.each([inMs(0, true), inMs(-HOUR, true), inMs(-HOUR, false)])('makes no tight loop of a time that is past', (hint) => {
    expect(quotaWaitMs(hint, now)).toBe(FALLBACK_MS);
  });
});

describe('isQuotaWording', () => {
  it.each([
    'You’ve hit your limit · resets 1pm',
    "You've hit your Opus limit · resets 1pm (UTC)",
    '5-hour limit reached ∙ resets 5am',
    'API Error: Request rejected (429) · This request would exceed your rate limit.',
    'Quota exceeded. Check your plan and billing details.',
    'You exceeded your current quota, please check your plan and billing details.',
    'exceeded retry limit, last status: 429 Too Many Requests',
    'Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000',
    'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
    'You have exhausted your daily quota on this model.',
    '{"status":"RESOURCE_EXHAUSTED"}',
  ])('knows %j', (text) => {
    expect(isQuotaWording(text)).toBe(true);
  });

  it.each([
    'Credit balance is too low',
    'Reached maximum number of turns (2)',
    'prompt is too long: limit is 200000 tokens',
    'Timeout of 429000 ms',
    '',
  ])('does not take %j for one', (text) => {
    expect(isQuotaWording(text)).toBe(false);
  });
});

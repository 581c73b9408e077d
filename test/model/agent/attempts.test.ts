// What is asked again, and from where an attempt goes on: tables over the counters.

import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { backoffMs, handOver, openAttempt, settleEnding, type Found, type Progress } from '../../../model/agent/attempts.js';
import type { Ending } from '../../../model/agent/endings.js';
import type { DispatchLimits } from '../../../model/run/dispatch.js';

const NOW = '2026-01-01T00:00:00.000Z';
const LIMITS: DispatchLimits = {
  timeoutMs: 1,
  graceMs: 1,
  resultGraceMs: 1,
  heartbeatMs: 1,
  quietMs: 1,
  attempts: 3,
  backoffMs: 5_000,
  backoffMaxMs: 120_000,
  maxDeaths: 10,
};
const BEFORE: Progress = {
  attempt: 1,
  phase: 'running',
  silences: 0,
  failures: 0,
  deaths: 0,
  handovers: 0,
  host: 'a',
  spoke: false,
  attempts: [{ attempt: 1, startedAt: NOW }],
};
const found = (more: Partial<Found> = {}): Found => ({
  kind: 'agent',
  attempt: 1,
  host: 'a',
  now: NOW,
  continued: false,
  canContinue: true,
  maxDeaths: 10,
  ...more,
});
const after = (more: Partial<Progress>, rest: Partial<Found> = {}): Found =>
  found({ attempt: 2, details: { ...BEFORE, ...more }, ...rest });
const session = (host: string) => ({ id: 's', host });

describe('openAttempt', () => {
  it.each<[string, Found, unknown]>([
    ['the first one starts', found(), { kind: 'start', own: false, progress: { attempt: 1, deaths: 0 } }],
    [
      'a later one without counters: the worker died unheard',
      found({ attempt: 2 }),
      { kind: 'start', progress: { attempt: 2, deaths: 1 } },
    ],
    ['after silence', after({ phase: 'silence', silences: 1 }), { kind: 'start', own: false, progress: { silences: 1, deaths: 0 } }],
    ['after a death without speech', after({ session: 's' }), { kind: 'start', own: false, progress: { deaths: 1 } }],
    ['after a death with speech', after({ spoke: true, session: 's' }), { kind: 'start', own: true, session: 's' }],
    [
      'after a death with speech, on another host',
      after({ spoke: true, session: 's', host: 'b' }),
      { kind: 'elsewhere', session: session('b') },
    ],
    ['after a death with speech, without a session', after({ spoke: true }), { kind: 'settled', outcome: 'interrupted' }],
    [
      'after a death with speech, never to be continued',
      after({ spoke: true, session: 's' }, { canContinue: false }),
      { kind: 'settled', outcome: 'interrupted' },
    ],
    [
      'after a handover',
      after({ phase: 'handover', handovers: 1, spoke: true, session: 's' }),
      { kind: 'start', own: true, progress: { deaths: 0 } },
    ],
    ['the tenth death', after({ deaths: 9 }), { kind: 'start', progress: { deaths: 10 } }],
    ['the eleventh death', after({ deaths: 10 }), { kind: 'settled', outcome: 'interrupted' }],
    ['a program after a death, whatever it printed', after({ spoke: true }, { kind: 'run' }), { kind: 'start', own: false }],
    [
      'the record knows more than the heartbeat',
      after({}, { record: { attempt: 1, session: 's', spoke: true } }),
      { kind: 'start', own: true, session: 's' },
    ],
    [
      'a record of a host that the last attempt was not on',
      after({ host: 'b' }, { record: { attempt: 1, session: 's', spoke: true } }),
      { kind: 'start', own: false },
    ],
    [
      'a record of an attempt that ended in silence',
      after({ phase: 'silence', silences: 1 }, { record: { attempt: 1, session: 's', spoke: false } }),
      { own: false },
    ],
    ['an earlier node’s session', found({ session: session('a') }), { kind: 'start', own: false, session: 's' }],
    ['an earlier node’s session elsewhere', found({ session: session('b') }), { kind: 'elsewhere', session: session('b') }],
    ['the same, moved and still not there', found({ session: session('b'), continued: true }), { kind: 'settled', outcome: 'interrupted' }],
    [
      'a session that cannot be continued',
      found({ session: session('a'), canContinue: false }),
      { kind: 'settled', outcome: 'infrastructure-failure' },
    ],
    [
      'moved to the host of its own session',
      found({ session: session('a'), continued: true, record: { attempt: 1, session: 's', spoke: true } }),
      { kind: 'start', own: true, session: 's', progress: { attempt: 2, deaths: 0 } },
    ],
  ])('%s', (_name, given, opening) => {
    expect(openAttempt(given)).toMatchObject(opening as object);
  });

  it('says in the record of the attempt before why there is another', () => {
    expect(openAttempt(after({}))).toMatchObject({
      progress: {
        attempts: [
          { attempt: 1, reason: 'its worker died' },
          { attempt: 2, startedAt: NOW },
        ],
      },
    });
  });
});

describe('settleEnding', () => {
  const silence: Ending = { kind: 'silence', reason: 'no word' };
  const absent: Ending = { kind: 'not-started', reason: 'ENOENT' };
  const failed: Ending = { kind: 'failed', outcome: 'task-failed', detail: 'exit 1' };

  it.each<[string, Found['kind'], Ending, Partial<Progress>, unknown]>([
    ['done', 'agent', { kind: 'done', notes: ['note'] }, { spoke: true }, { again: false, ok: true, reached: 'spoke', detail: 'note' }],
    ['the first silence', 'agent', silence, {}, { again: true, delayMs: 5_000, progress: { silences: 1, phase: 'silence' } }],
    ['the second silence', 'agent', silence, { silences: 1 }, { again: true, delayMs: 10_000 }],
    ['the third silence', 'agent', silence, { silences: 2 }, { again: false, outcome: 'no-agent-progress', reached: 'silence' }],
    ['an agent that cannot be started', 'agent', absent, {}, { again: true }],
    [
      'the same for the third time',
      'agent',
      absent,
      { silences: 2 },
      { again: false, outcome: 'infrastructure-failure', reached: 'not-started' },
    ],
    ['an agent that failed', 'agent', failed, { spoke: true }, { again: false, outcome: 'task-failed', reached: 'spoke' }],
    ['deaths and handovers spend no attempt', 'agent', silence, { deaths: 9, handovers: 9 }, { again: true, progress: { silences: 1 } }],
    ['a program that failed', 'run', failed, {}, { again: true, progress: { failures: 1, phase: 'failure' } }],
    ['a program that failed for the last time', 'run', failed, { failures: 2 }, { again: false, outcome: 'task-failed', reached: 'spoke' }],
    [
      'a program that is not there, for the last time',
      'run',
      absent,
      { failures: 2 },
      { again: false, outcome: 'infrastructure-failure', reached: 'not-started' },
    ],
  ])('%s', (_name, kind, ending, more, verdict) => {
    expect(settleEnding(kind, ending, { ...BEFORE, ...more }, LIMITS)).toMatchObject(verdict as object);
  });

  it('takes the silence of a continued conversation for an interruption', () => {
    expect(settleEnding('agent', silence, { ...BEFORE, spoke: true, silences: 2 }, LIMITS, true)).toMatchObject({
      outcome: 'interrupted',
      reached: 'spoke',
    });
  });

  it('asks an agent that stays silent exactly as often as the limit says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (attempts) => {
        let progress = BEFORE;
        let asked = 1;
        for (let verdict = settleEnding('agent', silence, progress, { ...LIMITS, attempts }); verdict.again; asked++) {
          progress = verdict.progress;
          verdict = settleEnding('agent', silence, progress, { ...LIMITS, attempts });
        }
        expect(asked).toBe(attempts);
      }),
    );
  });
});

describe('handOver and backoffMs', () => {
  it('a handover keeps session, speech and every other counter', () => {
    const given = { ...BEFORE, session: 's', spoke: true, silences: 1, deaths: 2 };
    expect(handOver(given, 'why')).toEqual({
      ...given,
      phase: 'handover',
      handovers: 1,
      attempts: [{ attempt: 1, startedAt: NOW, reason: 'why' }],
    });
  });

  it.each([
    [1, 5_000],
    [2, 10_000],
    [5, 80_000],
    [6, 120_000],
    [1_000, 120_000],
  ])('after %i tries it waits %i ms', (count, ms) => {
    expect(backoffMs(count, LIMITS)).toBe(ms);
  });
});

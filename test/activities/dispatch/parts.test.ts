// The small parts of a dispatch by themselves: stopping, reports, the quiet clock, reasons of cancellation, heartbeat details.

import { describe, expect, it } from '@jest/globals';
import { roadOf } from '../../../activities/dispatch/cancellation.js';
import { readProgress } from '../../../activities/dispatch/progress.js';
import { startQuietClock } from '../../../activities/dispatch/quiet.js';
import { Registry } from '../../../activities/dispatch/registry.js';
import { Reporter, signalSender } from '../../../activities/dispatch/reporter.js';
import { Stopping, type StopReason } from '../../../activities/dispatch/stopping.js';
import type { Fact, Report } from '../../../model/messages.js';
import { until } from '../process/support.js';

const fact = (kind: 'lively' = 'lively'): Fact => ({ kind, at: '2026-01-01T00:00:00.000Z' });

describe('stopping', () => {
  function stoppable(): { calls: string[]; stop(): void; kill(): void } {
    const calls: string[] = [];
    return { calls, stop: () => void calls.push('stop'), kill: () => void calls.push('kill') };
  }

  it('asks, and kills when the grace is over', async () => {
    const child = stoppable();
    const stopping = new Stopping();
    stopping.attach(child);
    stopping.ask('timeout', 60);
    expect(child.calls).toEqual(['stop']);
    await until('killed', () => child.calls.includes('kill'));
    expect(stopping.outcome).toEqual({ how: 'killed' });
  });

  it('does not kill what ended in time, and keeps what it said after it was asked', () => {
    const child = stoppable();
    const stopping = new Stopping();
    stopping.attach(child);
    stopping.hear('before');
    stopping.ask('cancel', 10_000);
    stopping.hear('sorry');
    stopping.hear(' ');
    stopping.ended();
    stopping.ask('gone', 0);
    expect(child.calls).toEqual(['stop']);
    expect(stopping.outcome).toEqual({ how: 'stopped', said: 'sorry' });
  });

  it('asks a child that starts only after it was to end', () => {
    const child = stoppable();
    const stopping = new Stopping();
    stopping.ask('cancel', 0);
    stopping.attach(child);
    expect(child.calls).toEqual(['stop', 'kill']);
  });

  it.each<[StopReason[], StopReason]>([
    [['timeout', 'cancel'], 'cancel'],
    [['cancel', 'timeout'], 'cancel'],
    [['cancel', 'handover'], 'cancel'],
    [['handover', 'timeout'], 'timeout'],
    [['cancel', 'gone'], 'gone'],
    [['result', 'handover'], 'handover'],
  ])('of %j the name is %s, and it is asked once', (reasons, name) => {
    const child = stoppable();
    const stopping = new Stopping();
    stopping.attach(child);
    for (const reason of reasons) stopping.ask(reason, 10_000);
    stopping.ended();
    expect(stopping.reason).toBe(name);
    expect(child.calls).toEqual(['stop']);
  });

  it('takes the shorter of two graces', () => {
    const child = stoppable();
    const stopping = new Stopping();
    stopping.attach(child);
    stopping.ask('cancel', 100_000);
    stopping.ask('handover', 0);
    expect(child.calls).toEqual(['stop', 'kill']);
  });
});

describe('reports', () => {
  function reporter(send: (report: Report) => Promise<void>, holdMs = 0): { reporter: Reporter; gone: string[]; log: string[] } {
    const gone: string[] = [];
    const log: string[] = [];
    return {
      gone,
      log,
      reporter: new Reporter({
        send,
        dispatch: 'n#1',
        attempt: 1,
        holdMs,
        onGone: () => void gone.push('gone'),
        log: (line) => void log.push(line),
      }),
    };
  }

  it('go together within a second, and are numbered', async () => {
    const sent: Report[] = [];
    const { reporter: mine } = reporter(async (report) => void sent.push(report));
    mine.tell(fact());
    mine.tell(fact());
    expect(sent).toEqual([]);
    await until('one report', () => sent.length === 1);
    mine.tell(fact(), true);
    await until('another', () => sent.length === 2);
    await mine.close();
    expect(sent.map(({ n, facts }) => [n, facts.length])).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  it('are not sent for a dispatch that is over before the hold, unless urgent', async () => {
    const sent: Report[] = [];
    const send = async (report: Report): Promise<void> => void sent.push(report);
    const short = reporter(send, 60_000).reporter;
    short.tell(fact());
    await short.close();
    expect(sent).toEqual([]);
    const asked = reporter(send, 60_000).reporter;
    asked.tell(fact());
    asked.tell(fact(), true);
    await until('sent', () => sent.length === 1);
    await asked.close();
    expect(sent[0]?.facts).toHaveLength(2);
  });

  it('that were not taken go again as they were, and what came meanwhile after them', async () => {
    const tried: Report[] = [];
    const { reporter: mine, log } = reporter(async (report) => {
      tried.push(report);
      if (tried.length === 1) throw new Error('unavailable');
    });
    mine.tell(fact(), true);
    await until('tried', () => tried.length === 1);
    mine.tell(fact());
    await until('all are through', () => tried.length === 3);
    await mine.close();
    expect(tried[1]).toEqual(tried[0]);
    expect(tried.map(({ n }) => n)).toEqual([1, 1, 2]);
    expect(log[0]).toContain('unavailable');
  });

  it('that find no run say so once', async () => {
    const { reporter: mine, gone } = reporter(() => Promise.reject(Object.assign(new Error('x'), { name: 'WorkflowNotFoundError' })));
    mine.tell(fact(), true);
    await until('gone', () => gone.length === 1);
    mine.tell(fact(), true);
    await mine.close();
    expect(gone).toEqual(['gone']);
  });

  it('are sent under a signal of their own, so that a cancelled activity can still tell', async () => {
    const signals: AbortSignal[] = [];
    const sent: unknown[] = [];
    const client = {
      withAbortSignal: (signal: AbortSignal, send: () => Promise<void>) => (signals.push(signal), send()),
      workflow: { getHandle: (id: string) => ({ signal: async (name: string, report: Report) => void sent.push([id, name, report.n]) }) },
    };
    await signalSender(client as never, 'run/r')({ dispatch: 'n#1', attempt: 1, n: 4, facts: [] });
    expect(sent).toEqual([['run/r', 'report', 4]]);
    expect(signals[0]?.aborted).toBe(false);
  });
});

describe('the quiet clock', () => {
  it('tells once in each quiet stretch, and when it ends', async () => {
    const told: string[] = [];
    const clock = startQuietClock(60, { quiet: () => void told.push('quiet'), lively: () => void told.push('lively') });
    clock.lively();
    await until('quiet', () => told.length === 1);
    clock.lively();
    clock.lively();
    await until('quiet again', () => told.length === 3);
    clock.stop();
    expect(told).toEqual(['quiet', 'lively', 'quiet']);
  });
});

describe('reasons of cancellation', () => {
  it.each([
    [{ cancelRequested: true }, 'cancel'],
    [{ workerShutdown: true }, 'handover'],
    [{ paused: true }, 'handover'],
    [{ reset: true }, 'handover'],
    [{ timedOut: true }, 'gone'],
    [{ notFound: true }, 'gone'],
    [{ cancelRequested: true, notFound: true }, 'gone'],
    [{ cancelRequested: true, workerShutdown: true }, 'cancel'],
  ] as const)('%j takes the road %s', (flags, road) => {
    expect(roadOf(flags, 'x').road).toBe(road);
  });

  it.each([
    ['CANCELLED', 'cancel'],
    ['WORKER_SHUTDOWN', 'handover'],
    ['TIMED_OUT', 'gone'],
    ['SOMETHING_NEW', 'handover'],
  ])('without flags the word %s takes the road %s', (word, road) => {
    expect(roadOf(undefined, word).road).toBe(road);
  });
});

describe('the registry', () => {
  it('lets a later attempt in when the one before has left', async () => {
    const registry = new Registry();
    const order: string[] = [];
    let leaveFirst = (): void => undefined;
    leaveFirst = await registry.enter('r', 'n#1', (reason) => {
      order.push(reason);
      leaveFirst();
    });
    const leave = await registry.enter('r', 'n#1', (reason) => void order.push(`second ${reason}`));
    expect(registry.kill('r', 'n#1')).toBe(true);
    leave();
    expect(registry.kill('r', 'n#1')).toBe(false);
    expect(order).toEqual(['gone', 'second cancel']);
  });
});

describe('heartbeat details', () => {
  it.each([[undefined], [null], [{}], [{ attempt: 'x' }], ['text']])('%j are none', (details) => {
    expect(readProgress(details)).toBeUndefined();
  });
});

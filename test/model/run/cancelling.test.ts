// Cancelling and reports by examples.

import { describe, expect, it } from '@jest/globals';
import { agent, human, program, runInput } from '../../support/builders.js';
import { Play, statuses } from '../../support/play.js';

describe('cancelling', () => {
  const killed = { endedBy: 'cancel' as const, ok: false, stop: { how: 'killed' as const }, detail: 'killed after its grace' };

  it('asks a running node to stop, then tells that it was killed, once each', () => {
    const play = new Play(runInput([program('x'), program('y')], { concurrency: 1 }));
    play.command({ command: 'cancel', node: 'x' });
    expect(play.effects).toContainEqual({ kind: 'cancel', id: 'x#1/cancel', dispatch: 'x#1' });
    play.finish('x#1', killed);
    expect(play.settled('x')).toMatchObject({ status: 'cancelled', detail: 'killed after its grace' });
    const raised = play.events.filter((event) => event.kind === 'surface-raised').map((event) => event.payload.kind);
    expect(raised).toEqual(['dispatch-interrupted', 'dispatch-killed']);
    expect([...play.out]).toEqual(['y#1']);
  });

  it('kills at a second cancel, as soon as the host is known', () => {
    const play = new Play(runInput([program('x')]));
    play.command({ command: 'cancel', node: 'x' });
    play.command({ command: 'cancel', node: 'x' });
    expect(play.effects.some((effect) => effect.kind === 'kill')).toBe(false);
    play.put({ kind: 'report', report: { dispatch: 'x#1', attempt: 1, n: 1, facts: [{ kind: 'stopping', at: '', host: 'h9' }] } });
    expect(play.effects).toContainEqual({ kind: 'kill', id: 'x#1/kill', dispatch: 'x#1', host: 'h9' });
  });

  it('kills when a grace of its own is over', () => {
    const play = new Play(runInput([program('x')], { home: 'h1' }));
    play.command({ command: 'cancel', node: 'x', grace: 2 });
    play.now += 2_000;
    play.put({ kind: 'alarm' });
    expect(play.effects).toContainEqual({ kind: 'kill', id: 'x#1/kill', dispatch: 'x#1', host: 'h1' });
  });

  it('settles every node of a cancelled run and ends cancelled, written as failed', () => {
    const play = new Play(runInput([program('a'), human('h'), program('b', ['a'])]));
    play.put({ kind: 'cancel-requested' });
    play.finish('a#1', { ...killed, stop: { how: 'stopped', said: 'bye' } });
    expect(statuses(play)).toEqual({ a: 'cancelled', h: 'cancelled', b: 'cancelled' });
    expect(play.ended()).toMatchObject({ cancelled: true, result: { state: 'failed', ok: false } });
    expect(play.events.at(-1)).toMatchObject({ kind: 'run-settled', payload: { state: 'cancelled' } });
  });

  it('retries a running node by cancelling it first', () => {
    const play = new Play(runInput([agent('x'), program('y', ['x'])]));
    play.command({ command: 'retry', node: 'x', note: 'shorter' });
    play.finish('x#1', killed);
    const order = play.effects.findLast((effect) => effect.kind === 'dispatch');
    expect(order).toMatchObject({ order: { id: 'x#2', work: { prompt: 'do x\n\nshorter' } } });
    play.finish('x#2').finish('y#1');
    expect(play.ended()?.result.state).toBe('complete');
  });

  it('counts a node that could no longer start once, when it is cancelled too', () => {
    const play = new Play(
      runInput([program('a'), program('b', ['a']), program('x'), { ...program('c', ['b', 'x']), startIf: 'needs-settled' }]),
    );
    play.fail('a#1');
    play.command({ command: 'cancel', node: 'b' });
    expect(statuses(play).c).toBe('pending'); // held by nobody: it waits for x
    play.finish('x#1');
    expect([...play.out]).toEqual(['c#1']);
  });

  it('says that its worker was gone', () => {
    const play = new Play(runInput([program('x')]));
    play.command({ command: 'cancel', node: 'x' });
    play.put({ kind: 'lost', dispatch: 'x#1', loss: { kind: 'timeout', message: 'timed out (HEARTBEAT)' } });
    expect(play.settled('x')).toMatchObject({ status: 'cancelled', detail: expect.stringContaining('worker was gone') });
  });
});

describe('reports', () => {
  it('takes each fact once, in order, and says at settlement what no report brought', () => {
    const play = new Play(runInput([agent('x')]));
    const report = { dispatch: 'x#1', attempt: 2, n: 1, facts: [{ kind: 'asked-again' as const, at: '', attempt: 2, reason: 'silence' }] };
    play.put({ kind: 'report', report }).put({ kind: 'report', report });
    const attempts = [1, 2, 3].map((attempt) => ({ attempt, startedAt: '', ...(attempt < 3 ? { reason: 'silence' } : {}) }));
    play.finish('x#1', { attempts, session: { id: 's1', host: 'h1' } });
    const told = play.events.filter((event) => event.kind === 'node-dispatched').map((event) => event.payload.attempt);
    expect(told).toEqual([1, 2, 3]);
    expect(play.events.find((event) => event.kind === 'dispatch-started')?.payload).toMatchObject({ host: 'h1', session: 's1' });
  });

  it('ignores reports of a dispatch that has settled', () => {
    const play = new Play(runInput([program('x'), human('h')]));
    play.finish('x#1');
    const before = play.state.seq;
    play.put({ kind: 'report', report: { dispatch: 'x#1', attempt: 1, n: 1, facts: [{ kind: 'started', at: '', host: 'h' }] } });
    expect(play.state.seq).toBe(before);
  });

  it('continues on the host that holds the session, with the same dispatch id', () => {
    const play = new Play(runInput([agent('x')], { home: 'h1' }));
    play.finish('x#1', { reached: 'elsewhere', ok: false, session: { id: 's', host: 'h2' } });
    expect(play.effects.at(-1)).toMatchObject({
      kind: 'dispatch',
      queue: 'sluice/host/h2/agents',
      order: { id: 'x#1', continued: true, session: { id: 's', host: 'h2' } },
    });
    expect(play.state.inFlight).toBe(1);
  });
});

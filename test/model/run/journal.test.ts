// The journal rule by examples.

import { describe, expect, it } from '@jest/globals';
import { statusView } from '../../../model/run/view.js';
import { program, runInput } from '../../support/builders.js';
import { Play } from '../../support/play.js';

describe('the journal', () => {
  const refused = { kind: 'journal' as const, answer: { written: false as const, code: 'ENOSPC', message: 'no space left' } };

  it('stops new dispatches at the first refusal, ends failed after the third, and finishes what runs', () => {
    const play = new Play(runInput([program('a'), program('b', ['a']), program('c', ['b'])], { home: 'h1' }));
    play.journal = () => refused;
    play.now += 1_100;
    play.finish('a#1');
    expect(statusView(play.state).held).toMatch(/ENOSPC/);
    play.finish('b#1');
    expect(play.out.size).toBe(0);
    for (const pause of [1_000, 5_000]) {
      play.now += pause;
      play.put({ kind: 'alarm' });
    }
    expect(play.ended()?.result).toMatchObject({
      state: 'failed',
      nodes: [
        { id: 'a', status: 'done' },
        { id: 'b', status: 'done' },
        { id: 'c', status: 'ready' },
      ],
    });
    expect(play.events.at(-1)).toMatchObject({ kind: 'run-settled', payload: { state: 'failed', outcome: 'journal' } });
  });

  it('says how the run ended only when the rest is written: a disk that refuses under the last node ends it failed', () => {
    const play = new Play(runInput([program('a')], { home: 'h1' }));
    play.journal = () => refused;
    play.finish('a#1');
    expect(play.kinds()).not.toContain('run-settled');
    expect(statusView(play.state)).toMatchObject({ state: 'running', held: expect.stringContaining('ENOSPC') });
    for (const pause of [1_000, 5_000]) {
      play.now += pause;
      play.put({ kind: 'alarm' });
    }
    expect(play.ended()?.result).toMatchObject({ state: 'failed', ok: false, nodes: [{ status: 'done' }] });
    expect(play.events.at(-1)).toMatchObject({ kind: 'run-settled', payload: { state: 'failed', outcome: 'journal' } });
  });

  it('takes nothing back when only the last word of a run cannot be written', () => {
    const play = new Play(runInput([program('a')], { home: 'h1' }));
    play.end = { ...refused, kind: 'end-written' };
    play.finish('a#1');
    expect(play.events.at(-1)).toMatchObject({ kind: 'run-settled', payload: { state: 'complete' } });
    expect(play.ended()).toBeUndefined();
    for (const pause of [1_000, 5_000]) {
      play.now += pause;
      play.put({ kind: 'alarm' });
    }
    expect(play.effects.filter((effect) => effect.kind === 'write-end').map((effect) => effect.id)).toEqual(['end/1', 'end/2', 'end/3']);
    expect(play.ended()?.result).toMatchObject({ state: 'complete', ok: true });
  });

  it('is written by the alarm when nothing else happens', () => {
    const play = new Play(runInput([program('a'), program('b', ['a'])], { home: 'h1' }));
    play.finish('a#1');
    expect(play.state.journal.written).toBeLessThan(play.state.seq);
    const at = play.state.journal.answeredAt + 2_000;
    expect(play.effects.findLast((effect) => effect.kind === 'alarm')).toMatchObject({ at });
    play.now = at;
    play.put({ kind: 'alarm' });
    expect(play.state.journal.written).toBe(play.state.seq);
  });

  it('goes on when a later try is written', () => {
    const play = new Play(runInput([program('a'), program('b', ['a']), program('c', ['b'])], { home: 'h1' }));
    const written = play.journal;
    play.journal = () => refused;
    play.now += 1_100;
    play.finish('a#1').finish('b#1');
    play.journal = written;
    play.now += 1_000;
    play.put({ kind: 'alarm' });
    expect([...play.out]).toEqual(['c#1']);
    expect(statusView(play.state).held).toBeUndefined();
  });

  it('pauses, and fails nothing, while home is away', () => {
    const play = new Play(runInput([program('a'), program('b', ['a']), program('c', ['b'])], { home: 'h1' }));
    play.journal = () => undefined;
    play.now += 1_100;
    play.finish('a#1');
    play.put({ kind: 'journal', answer: { away: true } }).finish('b#1');
    expect(play.out.size).toBe(0);
    expect(statusView(play.state).held).toBe('home h1 does not answer: is a worker running there?');
    play.put({ kind: 'journal', answer: { written: true, seq: 0 } });
    expect([...play.out]).toEqual(['c#1']);
    expect(play.ended()).toBeUndefined();
  });

  it('waits longer for a home that is away, and continues as new before it waits again', () => {
    const play = new Play(runInput([program('a'), program('b', ['a'])], { home: 'h1' }));
    play.journal = () => undefined;
    play.finish('a#1').finish('b#1');
    const away = { kind: 'journal' as const, answer: { away: true as const } };
    play.put(away);
    const batches = play.effects.flatMap((effect) => (effect.kind === 'journal' ? [effect.patienceMs] : []));
    // the first was written before home went
    expect(batches).toEqual([30_000, 30_000, 600_000]);
    play.put({ kind: 'zone', zone: 'roll' }).put(away);
    expect(play.effects.at(-1)?.kind).toBe('continue-as-new');
    play.journal = (effect) => ({ kind: 'journal', answer: { written: true, seq: effect.events.at(-1)?.seq ?? 0 } });
    play.carry();
    expect(play.ended()?.result.state).toBe('complete');
  });

  it('ends without its result at home after seven tries of about an hour', () => {
    const play = new Play(runInput([program('a')], { home: 'h1' }));
    play.end = { kind: 'end-written', answer: { away: true } };
    play.finish('a#1');
    expect(play.effects.filter((effect) => effect.kind === 'write-end').map((effect) => effect.id)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((n) => `end/${n}`),
    );
    expect(play.ended()?.result.state).toBe('complete');
  });

  it('numbers without gaps and sends each event once', () => {
    const play = new Play(
      runInput(
        Array.from({ length: 300 }, (_, i) => program(`n${i}`)),
        { home: 'h1', concurrency: 300 },
      ),
    );
    for (const id of [...play.out]) play.finish(id);
    const sent = play.effects.flatMap((effect) =>
      effect.kind === 'journal' || effect.kind === 'write-end' ? effect.events.map((event) => event.seq) : [],
    );
    expect(sent).toEqual(Array.from({ length: play.state.seq }, (_, i) => i + 1));
    expect(play.ended()?.result.state).toBe('complete');
  });
});

// Roll-overs, size and defects by examples.

import { describe, expect, it } from '@jest/globals';
import { decide } from '../../../model/run/decide.js';
import { agent, program, runInput } from '../../support/builders.js';
import { Play } from '../../support/play.js';

describe('size', () => {
  it('continues as new at the first moment with nothing in flight, and starts nothing into it', () => {
    const play = new Play(runInput([program('a'), program('b', ['a']), program('c', ['b'])]));
    play.put({ kind: 'zone', zone: 'roll' });
    expect(play.effects.some((effect) => effect.kind === 'continue-as-new')).toBe(false);
    play.finish('a#1');
    expect(play.effects.at(-1)?.kind).toBe('continue-as-new');
    expect(play.out.size).toBe(0);
    play.carry();
    expect([...play.out]).toEqual(['b#1']);
    play.finish('b#1').finish('c#1');
    expect(play.ended()?.result.state).toBe('complete');
    expect(play.events.map((event) => event.seq)).toEqual(play.events.map((_, i) => i + 1));
  });

  it('begins no long dispatch in the zone short, and none at all while draining', () => {
    const nodes = [program('a'), program('long', ['a'], { timeoutMs: 3_600_000 }), program('b', ['a']), program('z')];
    const play = new Play(runInput(nodes));
    play.put({ kind: 'zone', zone: 'short' }).finish('a#1');
    expect([...play.out]).toEqual(['z#1', 'b#1']);
    play.put({ kind: 'zone', zone: 'drain' }).finish('z#1').finish('b#1');
    expect(play.effects.at(-1)?.kind).toBe('continue-as-new');
  });

  it('decides an input on 10,000 nodes without copying them all', () => {
    const nodes = Array.from({ length: 10_000 }, (_, i) => program(`n${i}`, i === 0 ? [] : [`n${i - 1}`]));
    const play = new Play(runInput(nodes));
    const before = play.state;
    play.finish('n0#1');
    const same = play.state.nodes.filter((node, i) => node === before.nodes[i]).length;
    expect(same).toBe(9_998);
  });
});

describe('defects', () => {
  it('O-45 turns a throw while folding a settlement into failed/defect with its message, and the run goes on', () => {
    const play = new Play(runInput([program('a'), program('b'), program('c', ['a'])]));
    play.put({ kind: 'result', dispatch: 'a#1', result: { reached: 'spoke', ok: true, host: 'h' } as never });
    expect(play.settled('a')).toMatchObject({ status: 'failed', outcome: 'defect' });
    play.finish('b#1');
    expect(play.ended()?.result.state).toBe('failed');
  });

  it('O-45 fails a node whose dispatch cannot be composed', () => {
    const play = new Play(runInput([agent('a', [], { agent: undefined as never })]));
    expect(play.settled('a')).toMatchObject({
      status: 'failed',
      outcome: 'defect',
      detail: expect.stringContaining('could not be composed'),
    });
    expect(play.ended()?.result.state).toBe('failed');
  });

  it('O-45 ends a run whose state is broken, with the message, rather than throw', () => {
    const play = new Play(runInput([program('a')]));
    const broken = { ...play.state, nodes: [] };
    const decision = decide(broken, { kind: 'result', dispatch: 'a#1', result: {} as never }, play.now);
    expect(decision.effects.at(-1)).toMatchObject({ kind: 'end', result: { state: 'failed' } });
    expect(decision.events.at(-1)?.payload.detail).toMatch(/no node at 0/);
  });

  it('leaves the given state as it was', () => {
    const play = new Play(runInput([program('a'), program('b', ['a'])]));
    const frozen = JSON.stringify(play.state);
    const given = play.state;
    play.finish('a#1');
    expect(JSON.stringify(given)).toBe(frozen);
  });
});

// Readiness by examples: needs, conditions, bounds, locks.

import { describe, expect, it } from '@jest/globals';
import { human, program, runInput } from '../../support/builders.js';
import { Play, statuses } from '../../support/play.js';

describe('readiness', () => {
  it('dispatches a node in the decision that learned of its last need', () => {
    const play = new Play(runInput([program('a'), program('b', ['a'])]));
    expect([...play.out]).toEqual(['a#1']);
    play.finish('a#1');
    expect([...play.out]).toEqual(['b#1']);
    play.finish('b#1');
    expect(play.ended()?.result).toMatchObject({ state: 'complete', ok: true });
  });

  it('keeps to the bound and to plan order', () => {
    const play = new Play(runInput([program('a'), program('b'), program('c')], { concurrency: 2 }));
    expect([...play.out]).toEqual(['a#1', 'b#1']);
    play.finish('b#1');
    expect([...play.out]).toEqual(['a#1', 'c#1']);
  });

  it('O-30 holds everything below a failure, names it as the cause, runs the rest and ends by itself', () => {
    const play = new Play(runInput([program('a'), program('b', ['a']), program('c', ['b']), program('d', ['c']), program('e')]));
    play.finish('a#1').finish('e#1').fail('b#1');
    const result = play.ended()?.result;
    expect(result).toMatchObject({ state: 'failed', ok: false });
    expect(result?.nodes.slice(2, 4)).toEqual([
      { id: 'c', status: 'blocked', blocked_by: ['b'] },
      { id: 'd', status: 'blocked', blocked_by: ['b'] },
    ]);
    expect(play.effects.filter((effect) => effect.kind === 'dispatch')).toHaveLength(3);
  });

  it('O-31 dispatches the join of a diamond once, after the retried arm', () => {
    const nodes = [program('a'), program('b', ['a']), program('c', ['a']), program('d', ['b', 'c']), human('hold')];
    const play = new Play(runInput(nodes));
    play.finish('a#1').fail('c#1').finish('b#1');
    expect(statuses(play).d).toBe('blocked');
    expect(play.command({ command: 'retry', node: 'c' })).toBeUndefined();
    play.finish('c#2').finish('d#1');
    play.command({ command: 'attest', node: 'hold' });
    expect(play.ended()?.result.state).toBe('complete');
    expect(play.kinds('d').filter((kind) => kind === 'node-dispatched')).toHaveLength(1);
  });

  it.each([
    ['needs-settled', true, 'done'],
    ['needs-settled', false, 'done'],
    ['any-failed', false, 'done'],
    ['any-failed', true, 'skipped'],
  ] as const)('if: %s with needs that succeed: %s ends %s', (startIf, succeed, expected) => {
    const play = new Play(runInput([program('a'), program('m', ['a']), program('z', ['m'], { startIf }), program('after', ['z'])]));
    if (succeed) play.finish('a#1').finish('m#1');
    else play.fail('a#1');
    if (expected === 'done') play.finish('z#1');
    expect(play.settled('z')).toMatchObject(expected === 'skipped' ? { status: 'done', outcome: 'skipped' } : { status: 'done' });
    expect(play.out.has('after#1')).toBe(true);
  });

  it('settles expectsNoDiff without a dispatch', () => {
    const play = new Play(runInput([program('a', [], { expectsNoDiff: true }), program('b', ['a'])]));
    expect(play.settled('a')).toEqual({ status: 'done', outcome: 'no-changes', detail: 'expectsNoDiff: nothing was dispatched' });
    expect([...play.out]).toEqual(['b#1']);
  });

  it('grants a lock in plan order and gives it back at settlement', () => {
    const play = new Play(runInput([program('a', [], { lock: ['db'] }), program('b', [], { lock: ['db'] }), program('c')]));
    expect([...play.out]).toEqual(['a#1', 'c#1']);
    play.fail('a#1');
    expect(play.out.has('b#1')).toBe(true);
  });
});

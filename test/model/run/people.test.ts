// Decision points by examples: gates, deadlines, blocking surfaces.

import { describe, expect, it } from '@jest/globals';
import { statusView } from '../../../model/run/view.js';
import { human, program, runInput } from '../../support/builders.js';
import { Play, T0, statuses } from '../../support/play.js';

describe('people', () => {
  it('waits the moment a human node is ready, says what it holds, and never infers an answer', () => {
    const play = new Play(runInput([program('a'), human('ok', ['a']), program('b', ['ok']), program('c', ['b'])]));
    play.finish('a#1');
    const view = statusView(play.state);
    expect(view.state).toBe('waiting');
    expect(view.waiting).toMatchObject([{ reference: 'ok', action: 'look at ok', unblocks: ['b', 'c'] }]);
    expect(play.ended()).toBeUndefined();
    expect(play.events.at(-1)).toMatchObject({
      kind: 'decision-pending',
      payload: { reference: 'ok', kind: 'human', unblocks: ['b', 'c'] },
    });
  });

  it('clears a decision once and goes on', () => {
    const play = new Play(runInput([human('ok'), program('b', ['ok'])]));
    play.command({ command: 'attest', node: 'ok', note: 'fine' });
    expect(play.kinds('ok')).toEqual(['node-ready', 'decision-pending', 'human-attested', 'node-settled', 'decision-cleared']);
    expect(play.command({ command: 'attest', node: 'ok' })).toBe('ok is not waiting: it is done (attested)');
    expect(play.kinds().filter((kind) => kind === 'decision-cleared')).toHaveLength(1);
  });

  it('asks which choice, takes one, and rejects by one', () => {
    const nodes = [human('ok', [], { choices: [{ name: 'ship' }, { name: 'stop', rejects: true }] }), program('b', ['ok'])];
    const play = new Play(runInput(nodes));
    expect(play.command({ command: 'attest', node: 'ok' })).toBe('ok has several choices, say which: ship, stop');
    expect(play.command({ command: 'attest', node: 'ok', choice: 'sip' })).toBe('ok has no choice sip; it has: ship, stop');
    play.command({ command: 'attest', node: 'ok', choice: 'stop', note: 'not yet' });
    expect(play.settled('ok')).toMatchObject({ status: 'failed', outcome: 'rejected', detail: 'stop by tester: not yet' });
    expect(play.ended()?.result.state).toBe('failed');
  });

  it('lets an answer that was given ahead pass the gate at once', () => {
    const play = new Play(runInput([human('ok'), program('b', ['ok'])], { attestAhead: [{ node: 'ok' }] }));
    expect([...play.out]).toEqual(['b#1']);
    expect(play.kinds('ok')).toContain('human-attested');
  });

  it.each([
    ['fail', 'failed', 'deadline'],
    ['go', 'done', 'go'],
  ])('falls to onDeadline: %s', (onDeadline, status, outcome) => {
    const play = new Play(runInput([human('ok', [], { deadlineMs: 1000, onDeadline, choices: [{ name: 'go' }] })]));
    expect(play.effects).toContainEqual(expect.objectContaining({ kind: 'alarm', at: T0 + 1001 }));
    play.now += 1000;
    play.put({ kind: 'alarm' });
    expect(play.settled('ok')).toMatchObject({ status, outcome });
  });

  it('O-48 releases a gate by its attestation only', () => {
    const play = new Play(runInput([human('g'), program('b', ['g']), program('x')]));
    play.command({ command: 'surface', node: 'x', message: 'wait, I have a question', blocking: false });
    play.command({ command: 'reply', surface: 1, text: 'yes' });
    expect(statuses(play).g).toBe('waiting');
    play.command({ command: 'attest', node: 'g' });
    expect(play.out.has('b#1')).toBe(true);
  });

  it('holds the subtree of a blocking surface until it is answered, and nothing else', () => {
    const play = new Play(runInput([program('a'), program('b', ['a']), program('other')]));
    play.command({ command: 'surface', node: 'a', message: 'which one?', blocking: true });
    play.finish('a#1').finish('other#1');
    expect(statusView(play.state)).toMatchObject({ state: 'waiting', waiting: [{ reference: 'surface:1', unblocks: ['b'] }] });
    expect(statuses(play).b).toBe('blocked');
    play.command({ command: 'reply', surface: 1, text: 'the left one' });
    expect([...play.out]).toEqual(['b#1']);
    expect(play.events.filter((event) => event.kind === 'decision-cleared')).toHaveLength(1);
  });
});

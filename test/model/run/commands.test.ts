// Commands by examples: who, once, in order, refusals on record.

import { describe, expect, it } from '@jest/globals';
import { human, program, runInput } from '../../support/builders.js';
import { Play, statuses } from '../../support/play.js';

describe('commands', () => {
  it('applies an id once and answers it from memory', () => {
    const play = new Play(runInput([human('ok'), program('b', ['ok'])]));
    play.command({ command: 'attest', node: 'ok' }, 'operator', 'same');
    play.command({ command: 'attest', node: 'ok' }, 'operator', 'same');
    expect(play.state.answers).toEqual([{ id: 'same', applied: true, applied_count: 1 }]);
    expect(play.kinds().filter((kind) => kind === 'human-attested')).toHaveLength(1);
  });

  it('stops at the first refusal; what came before it stands', () => {
    const play = new Play(runInput([human('ok'), human('two')]));
    const commands = [
      { command: 'attest' as const, node: 'ok' },
      { command: 'attest' as const, node: 'nope' },
      { command: 'attest' as const, node: 'two' },
    ];
    play.put({ kind: 'envelope', envelope: { id: 'e', author: 'operator', commands } });
    expect(play.state.answers.at(-1)).toEqual({ id: 'e', applied: false, applied_count: 1, reason: 'there is no node nope' });
    expect(statuses(play)).toEqual({ ok: 'done', two: 'waiting' });
    expect(play.kinds()).toContain('edit-rejected');
  });

  it.each(['planner', 'monitor', 'agent'] as const)('refuses an attestation by a %s and keeps the refusal', (author) => {
    const play = new Play(runInput([human('ok')]));
    expect(play.command({ command: 'attest', node: 'ok' }, author)).toBe(`${author} may not attest`);
    expect(play.kinds()).toEqual(expect.arrayContaining(['edit-rejected', 'surface-raised']));
  });

  it('puts an unreadable signal on record', () => {
    const play = new Play(runInput([human('ok')]));
    play.put({ kind: 'unreadable', name: 'attest', reason: 'unreadable body: node: expected string' });
    expect(play.events.at(-2)).toMatchObject({ kind: 'edit-rejected', payload: { command: 'attest' } });
  });

  it('keeps 1,000 answers', () => {
    const play = new Play(runInput([human('ok')]));
    for (let i = 0; i < 1_010; i++) play.command({ command: 'surface', message: `m${i}`, blocking: false });
    expect(play.state.answers).toHaveLength(1_000);
    expect(play.state.answers.at(-1)?.id).toBe('c1010');
  });
});

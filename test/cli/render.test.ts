// Lines for people: nothing in them moves a cursor, and they fit.

import { describe, expect, it } from '@jest/globals';
import { eventLine } from '../../cli/render/event-line.js';
import { oneLine, safe } from '../../cli/render/plain.js';
import { usageText } from '../../cli/render/status-view.js';
import { table } from '../../cli/render/table.js';
import { duration } from '../../cli/render/time.js';
import { waves } from '../../cli/starting/dry-run.js';
import type { Envelope } from '../../model/event.js';
import type { CompiledPlan } from '../../model/plan/compiled.js';

function event(kind: Envelope['kind'], payload: Envelope['payload'], node?: string): Envelope {
  const labels = { run_id: 'r', ...(node !== undefined && { node }) };
  return { v: 1, ts: '2026-11-30T10:00:00.000Z', stream: 'r', seq: 1, source: 'run', kind, labels, payload, artifacts: [] };
}
const line = (...args: Parameters<typeof event>): string =>
  eventLine(event(...args), { colour: false, columns: 60 }).slice('HH:MM:SS '.length);

describe('text that others wrote', () => {
  it.each([
    ['a colour', '\u001b[31mred\u001b[0m', 'red'],
    ['a title for the window', '\u001b]0;owned\u0007x', 'x'],
    ['a hyperlink', '\u001b]8;;http://x\u001b\\x\u001b]8;;\u001b\\', 'x'],
    ['a cleared screen', '\u001b[2J\u001b[Hx', 'x'],
    ['a carriage return that overwrites', 'sudo rm\rls', 'sudo rmls'],
    ['a changed writing direction', 'a\u202eb', 'ab'],
    ['a bell and a backspace', 'a\u0007\u0008b', 'ab'],
    ['letters of any language', 'Übung 日本 ✓', 'Übung 日本 ✓'],
  ])('loses %s', (_, given, expected) => {
    expect(safe(given)).toBe(expected);
  });

  it('is one line, cut by characters and not by halves of them', () => {
    expect(oneLine('a\n\tb  c')).toBe('a b c');
    expect(oneLine('😀😀😀', 2)).toBe('😀…');
  });
});

describe('an event as a line', () => {
  it.each([
    [
      'a settlement',
      line('node-settled', { status: 'failed', outcome: 'task-failed', detail: 'exit 1' }, 'b'),
      'node-settled     b failed · task-failed · exit 1',
    ],
    ['a dispatch', line('node-dispatched', { dispatch: 'b#1', attempt: 2, attempts: 3 }, 'b'), 'node-dispatched  b attempt 2'],
    [
      'a decision, without its node twice',
      line('decision-pending', { reference: 'b', kind: 'human', unblocks: [] }, 'b'),
      'decision-pending b',
    ],
    ['the end', line('run-settled', { state: 'complete' }), 'run-settled      complete'],
  ])('tells %s', (_, text, expected) => {
    expect(text).toBe(expected);
  });

  it('fits the terminal', () => {
    const text = eventLine(event('surface-raised', { message: 'word '.repeat(100) }, 'b'), { colour: false, columns: 60 });
    expect([...text]).toHaveLength(60);
  });

  it('has colours only where they are wanted', () => {
    expect(eventLine(event('run-settled', { state: 'failed' }), { colour: true, columns: 60 })).toContain('\u001b[31m');
    expect(line('run-settled', { state: 'failed' })).not.toContain('\u001b');
  });
});

describe('a table', () => {
  it('aligns its columns and cuts only the last', () => {
    expect(table([['a', 'long word', 'x'.repeat(50)]], { columns: 40, head: ['ID', 'WHAT', 'WHY'] })).toEqual([
      'ID  WHAT       WHY',
      `a   long word  ${'x'.repeat(24)}…`,
    ]);
  });

  it('of nothing is nothing', () => {
    expect(table([], { columns: 80, head: ['ID'] })).toEqual([]);
  });
});

describe('numbers for people', () => {
  it.each([
    [850, '850 ms'],
    [12_900, '12 s'],
    [185_000, '3m 05s'],
    [7_800_000, '2h 10m'],
    [273_600_000, '3d 4h'],
  ])('%i ms is %s', (ms, expected) => {
    expect(duration(ms)).toBe(expected);
  });

  const none = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0, turns: 0 };
  it.each([
    ['nothing used', none, ''],
    [
      'cached tokens as part of what went in',
      { ...none, input_tokens: 300, cached_input_tokens: 12_000, output_tokens: 80 },
      '12.3k in, 80 out',
    ],
    ['a cost', { ...none, output_tokens: 1, cost_usd: 0.125 }, '0 in, 1 out, $0.13'],
    ['a cost that is only partly known', { ...none, cost_usd: 2, cost_unknown: true }, '$2.00 and unknown'],
  ])('tells %s', (_, usage, expected) => {
    expect(usageText(usage)).toBe(expected);
  });
});

describe('the order of a dry run', () => {
  it('takes a chain of 10,000 nodes in plan order or against it, in linear time', () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => ({ id: `n${i}`, kind: 'run', needs: i === 0 ? [] : [{ node: `n${i - 1}` }] }));
    for (const nodes of [chain, [...chain].reverse()]) {
      const began = Date.now();
      const rows = waves({ nodes } as unknown as CompiledPlan);
      expect(rows).toHaveLength(10_000);
      expect(rows[9_999]).toEqual([{ id: 'n9999', kind: 'run', needs: ['n9998'] }]);
      expect(Date.now() - began).toBeLessThan(5_000);
    }
  });
});

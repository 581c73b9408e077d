// Reading and filling in `${{ }}`.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeExpressions, expressionsIn, nodesRead, parseExpression, render } from '../../../model/plan/expressions.js';
import type { Values } from '../../../model/plan/expressions.js';

const values: Values = {
  inputs: { ticket: 'T-1', 'a.b': 'dotted' },
  needs: { survey: { output: 'found', outcome: 'attested', fields: { size: '3' } }, 'survey.output': { output: 'other' } },
  run: { id: 'demo-1', goal: 'a goal' },
};

describe('render', () => {
  it.each([
    ['Do ${{ inputs.ticket }} now', 'Do T-1 now'],
    ['${{inputs.ticket}}${{ run.id }}', 'T-1demo-1'],
    ['${{ needs.survey.output }}, ${{ needs.survey.outcome }}', 'found, attested'],
    ['${{ needs.survey.output.output }}', 'other'],
    ['${{ needs.survey.fields.size }}', '3'],
    ['${{ inputs.a.b }}', 'dotted'],
    ['${{ run.goal }}', 'a goal'],
    ['$${{ run.id }}', '${{ run.id }}'],
    ['$${{ open ${{ run.id }}', '${{ open demo-1'],
    ['no braces', 'no braces'],
    ['${{ needs.survey.branch }}', ''],
    ['${{ inputs.toString }}', ''],
  ])('%p is %p', (text, expected) => {
    expect(render(text, values)).toBe(expected);
  });

  it('never reads what a value says', () => {
    expect(render('${{ inputs.ticket }}', { ...values, inputs: { ticket: '${{ run.id }} $& $1' } })).toBe('${{ run.id }} $& $1');
  });

  it('gives back whatever was escaped', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('$', '{', '}', '${{', '}}', 'a', '\n')).map((parts) => parts.join('')),
        (text) => {
          expect(render(escapeExpressions(text), values)).toBe(text);
        },
      ),
    );
  });
});

describe('reading', () => {
  it('tells a path that is not closed', () => {
    expect(expressionsIn('a ${{ run.id }} b ${{ run')).toEqual([
      { source: 'run.id', closed: true },
      { source: 'run', closed: false },
    ]);
  });

  it('takes the longest id that fits', () => {
    const known = (id: string) => ['a', 'a.b'].includes(id);
    expect(parseExpression('needs.a.b.output', known)).toEqual({ kind: 'need', node: 'a.b', property: 'output' });
    expect(parseExpression('needs.a.fields.b', known)).toEqual({ kind: 'field', node: 'a', field: 'b' });
    expect(parseExpression('needs.c.output', known)).toBeUndefined();
  });

  it('names each node once that a text reads', () => {
    expect(nodesRead('${{ needs.a.output }} ${{ needs.b.outcome }} ${{ needs.a.branch }} $${{ needs.c.output }}', () => true)).toEqual([
      'a',
      'b',
    ]);
  });
});

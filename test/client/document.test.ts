// Any JSON is read as JSON.parse reads it, and any place in it is found again.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readDocument } from '../../client/document.js';

const key = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.array(tie('value')),
    fc.dictionary(key, tie('value'), { noNullPrototype: true }),
  ),
})).value;

describe('a document', () => {
  it('of JSON has the value that JSON.parse gives it, however it is laid out', () => {
    fc.assert(
      fc.property(
        json.filter((value) => value !== null),
        fc.constantFrom(undefined, 2, '\t'),
        (value, indent) => {
          const document = readDocument('x.json', JSON.stringify(value, null, indent));
          expect(document.problems).toEqual([]);
          expect(document.value).toEqual(value);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    [['a'], undefined, '1:1'],
    [['a', 'b'], undefined, '2:6'],
    [['a', 'b'], 'key' as const, '2:3'],
    [['a', 'list', 1], undefined, '5:7'],
    [['a', 'list', 1, 'c'], undefined, '5:10'],
    [['a', 'flow', 0], undefined, '6:10'],
    [['a', 'gone', 'deeper'], undefined, '1:1'],
    [['empty'], undefined, '7:1'],
  ])('finds %j (%s) at %s', (path, at, place) => {
    const document = readDocument('x.yaml', 'a:\n  b: 1\n  list:\n    - 1\n    - c: 2\n  flow: [x]\nempty:\n');
    const { line, column } = document.place({ path, message: 'x', ...(at === undefined ? {} : { at }) });
    expect(`${line}:${column}`).toBe(place);
  });
});

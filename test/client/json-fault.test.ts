// The scanner agrees with JSON.parse about what is JSON.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonFault } from '../../client/json-fault.js';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // whatever it says, it is no JSON
    return false;
  }
};

describe('jsonFault', () => {
  it('finds nothing in JSON, and something in everything else', () => {
    const pieces = fc.array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"\\u00e9"', '"\\x"', '1', '-0.5e3', '01', 'true', 'nul', ' ', '\n'),
      { maxLength: 9 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          pieces.map((list) => list.join('')),
        ),
        (text) => {
          expect([text, jsonFault(text) === undefined]).toEqual([text, isJson(text)]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

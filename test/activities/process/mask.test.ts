// Secrets in every spelling that a log may hold.

import { describe, expect, it } from '@jest/globals';
import { mask, masker } from '../../../activities/process/mask.js';

describe('mask', () => {
  it.each([
    ['a secret, each time', 'key tok-123 and tok-123', ['tok-123'], 'key *** and ***'],
    ['the longer of two that overlap', 'tok-123-long', ['tok-123', 'tok-123-long'], '***'],
    ['signs that patterns use', 'a.b*c$ axbxc', ['a.b*c$'], '*** axbxc'],
    ['a secret inside JSON', '{"key":"a\\"b\\\\cd"}', ['a"b\\cd'], '{"key":"***"}'],
    ['a secret inside a URL', 'https://u:p%40ss%2Fw@h', ['p@ss/w'], 'https://u:***@h'],
    ['each line of a key file', 'x line-one y', ['line-one\nline-two'], 'x *** y'],
    ['a key file written as JSON', '"line-one\\nline-two"', ['line-one\nline-two'], '"***"'],
    ['nothing for empty and short ones', 'abc', ['', 'abc'], 'abc'],
    ['nothing without secrets', 'text', [], 'text'],
    ['a dollar sign in the text as it is', '$& tok-123', ['tok-123'], '$& ***'],
  ])('%s', (_, text, secrets, masked) => {
    expect(mask(text, secrets)).toBe(masked);
  });

  it('can be made once for many texts', () => {
    const masks = masker(['secret']);
    expect(['a secret', 'none', 'secret'].map(masks)).toEqual(['a ***', 'none', '***']);
  });

  it('takes a secret that is no proper text', () => {
    expect(mask('a \ud800bcd', ['\ud800bcd'])).toBe('a ***');
  });
});

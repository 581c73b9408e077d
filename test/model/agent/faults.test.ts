// Which kind of ending an API refusal is, one row each.

import { describe, expect, it } from '@jest/globals';
import { faultOf } from '../../../model/agent/faults.js';
import type { ApiRefusal } from '../../../model/agent/faults.js';

const TABLE: [refusal: ApiRefusal, fault: string, http: number | undefined][] = [
  // the record's own word before its status, its status before its words
  [{ word: 'rate_limit', text: 'x' }, 'quota', undefined],
  [{ word: 'authentication_failed', http: 400, text: 'x' }, 'login', 400],
  [{ word: 'billing_error', http: 400, text: 'rate limit' }, 'billing', 400],
  [{ word: 'unknown', text: 'API Error: Connection error.' }, 'server', undefined],
  [{ http: 429, text: 'x' }, 'quota', 429],
  [{ http: 401, text: 'rate limit' }, 'login', 401],
  [{ http: 403, text: 'x' }, 'login', 403],
  [{ http: 402, text: 'x' }, 'billing', 402],
  [{ http: 500, text: 'usage limit reached' }, 'server', 500],
  [{ http: 529, text: 'x' }, 'server', 529],
  [{ http: 400, text: 'Credit balance is too low' }, 'billing', 400],
  [{ http: 400, text: 'You have reached your specified API usage limits.' }, 'quota', 400],
  [{ http: 400, text: 'prompt is too long' }, 'task', 400],
  [{ http: 404, text: 'model: gone' }, 'task', 404],
  // words alone
  [{ text: 'API Error: 529 Overloaded' }, 'server', 529],
  [{ text: 'unexpected status 401 Unauthorized: invalid, url: http://127.0.0.1:500/' }, 'login', 401],
  [{ text: 'exceeded retry limit, last status: 429 Too Many Requests' }, 'quota', 429],
  [{ text: 'You’ve hit your usage limit. Try again later.' }, 'quota', undefined],
  [{ text: 'Not logged in · Please run /login' }, 'login', undefined],
  [{ text: 'We’re currently experiencing high demand, which may cause temporary errors.' }, 'server', undefined],
  [{ text: 'stream disconnected before completion' }, 'server', undefined],
  [{ text: 'the tests fail' }, 'task', undefined],
  [{ word: 'toString', text: '' }, 'task', undefined],
];

describe('faultOf', () => {
  it.each(TABLE)('%j is %s', (refusal, fault, http) => {
    expect(faultOf(refusal)).toEqual(http === undefined ? { fault } : { fault, http });
  });
});

// What the chain is made from: the key of an environment, and the store for an address.

import { describe, expect, it } from '@jest/globals';
import { payloadStore, readEncryptionKey } from '../../../workers/codec/index.js';

const KEY = Buffer.alloc(32, 7);

describe('the encryption key', () => {
  it.each([
    ['is none when unset', {}, undefined],
    ['is none when empty', { SLUICE_ENCRYPTION_KEY: ' ' }, undefined],
    ['is read from base64', { SLUICE_ENCRYPTION_KEY: KEY.toString('base64') }, KEY],
    ['is read from base64url with a line end', { SLUICE_ENCRYPTION_KEY: `${KEY.toString('base64url')}\n` }, KEY],
  ])('%s', (_name, env, key) => {
    const reading = readEncryptionKey(env);
    expect(reading).toEqual(key ? { ok: true, key } : { ok: true });
  });

  it.each([
    ['too short', Buffer.alloc(16).toString('base64'), '16 bytes'],
    ['too long', Buffer.alloc(33).toString('base64'), '33 bytes'],
    ['not base64', 'correct horse battery', 'not base64'],
  ])('is refused when %s, and the value is not repeated', (_name, given, words) => {
    const reading = readEncryptionKey({ SLUICE_ENCRYPTION_KEY: given });
    expect(reading).toMatchObject({ ok: false, reason: expect.stringContaining(words) });
    expect(JSON.stringify(reading)).not.toContain(given);
  });
});

describe('the payload store', () => {
  it.each([
    ['127.0.0.1:7233', {}, '/local'],
    ['localhost:7233', {}, '/local'],
    ['[::1]:7233', {}, '/local'],
    ['temporal.example.com:7233', {}, undefined],
    ['127.0.0.1.example.com:7233', {}, undefined],
    ['temporal.example.com:7233', { SLUICE_PAYLOAD_STORE: '/shared' }, '/shared'],
    ['127.0.0.1:7233', { SLUICE_PAYLOAD_STORE: '/shared' }, '/shared'],
  ])('for %s with %j is %s', (address, env, dir) => {
    expect(payloadStore({ address, env, local: '/local' })).toBe(dir);
  });
});

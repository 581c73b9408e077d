// The chain as a whole: what goes in comes out, in which order it is turned, and what lies on the disk.

import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Payload } from '@temporalio/common';
import { defaultPayloadConverter } from '@temporalio/common';
import fc from 'fast-check';
import { createDataConverter } from '../../../workers/codec/index.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-codec-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

interface Options {
  payloadDir?: string;
  key?: Buffer;
}

async function encode(options: Options, ...payloads: Payload[]): Promise<Payload[]> {
  let turned = payloads;
  for (const codec of createDataConverter(options).payloadCodecs ?? []) turned = await codec.encode(turned);
  return turned;
}

async function decode(options: Options, payloads: Payload[]): Promise<Payload[]> {
  let turned = payloads;
  for (const codec of [...(createDataConverter(options).payloadCodecs ?? [])].reverse()) turned = await codec.decode(turned);
  return turned;
}

const json = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const value = (payload: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(payload!);
const encoding = (payload: Payload | undefined): string => Buffer.from(payload?.metadata?.encoding ?? []).toString();

async function blobs(): Promise<string[]> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function blob(): Promise<string> {
  const [first, ...others] = await blobs();
  expect(others).toEqual([]);
  return first!;
}

const incompressible = (bytes: number): string => randomBytes(bytes).toString('base64');

describe('the codec chain', () => {
  it.each(['', 'with a key'])('gives back every value of any size %s', async (keyed) => {
    const options = { payloadDir: dir, ...(keyed && { key: randomBytes(32) }) };
    const any = fc.tuple(fc.jsonValue(), fc.integer({ min: 0, max: 120_000 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(any, async ([small, size, dense]) => {
        const given = { small, large: dense ? incompressible(size) : 'lorem ipsum '.repeat(size / 12) };
        const [back] = await decode(options, await encode(options, json(given)));
        expect(value(back)).toEqual(JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: 60 },
    );
  });

  it('gives back any bytes and metadata', async () => {
    const options = { payloadDir: dir, key: randomBytes(32) };
    const bytes = fc.uint8Array({ maxLength: 50_000, size: 'max' });
    await fc.assert(
      fc.asyncProperty(bytes, fc.dictionary(fc.string({ minLength: 1 }), fc.uint8Array()), async (data, metadata) => {
        const [back] = await decode(options, await encode(options, { metadata, data }));
        expect(Buffer.from(back!.data!).equals(Buffer.from(data))).toBe(true);
        expect(Object.fromEntries(Object.entries(back!.metadata!).map(([k, v]) => [k, [...v]]))).toEqual(
          Object.fromEntries(Object.entries(metadata).map(([k, v]) => [k, [...v]])),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('keeps the order of several payloads of different sizes', async () => {
    const options = { payloadDir: dir, key: randomBytes(32) };
    const values = ['small', incompressible(60_000), 'x'.repeat(20_000), null, incompressible(50_000)];
    const back = await decode(options, await encode(options, ...values.map(json)));
    expect(back.map(value)).toEqual(values);
    expect(await blobs()).toHaveLength(2);
  });

  it.each([
    ['8 KiB stay as they are', { data: Buffer.alloc(8 * 1024, 97) }, {}, 'json/plain'],
    ['above 8 KiB is compressed', { data: Buffer.alloc(8 * 1024 + 1, 97) }, {}, 'binary/sluice-zlib'],
    ['what does not compress stays as it is', { data: randomBytes(20_000) }, {}, 'json/plain'],
    ['with a key everything is encrypted', { data: Buffer.from('1') }, { key: randomBytes(32) }, 'binary/sluice-aes256gcm'],
    ['over 32 KiB after compression goes to the store', { data: randomBytes(33 * 1024) }, { store: true }, 'binary/sluice-claim'],
    ['what compresses below 32 KiB does not', { data: Buffer.alloc(1_000_000, 97) }, { store: true }, 'binary/sluice-zlib'],
    ['without a store a large payload travels whole', { data: randomBytes(100_000) }, {}, 'json/plain'],
  ])('%s', async (_name, { data }, { key, store }: { key?: Buffer; store?: boolean }, expected) => {
    const options = { ...(key && { key }), ...(store && { payloadDir: dir }) };
    const [turned] = await encode(options, { metadata: { encoding: Buffer.from('json/plain') }, data });
    expect(encoding(turned)).toBe(expected);
  });

  it('passes encodings of others through when decoding', async () => {
    const foreign = { metadata: { encoding: Buffer.from('binary/somebody-elses') }, data: Buffer.from('bytes') };
    expect(await decode({ payloadDir: dir, key: randomBytes(32) }, [foreign])).toEqual([foreign]);
  });

  it('reads what was written before there was a key', async () => {
    const before = await encode({}, json('x'.repeat(20_000)));
    const [back] = await decode({ key: randomBytes(32) }, before);
    expect(value(back)).toBe('x'.repeat(20_000));
  });

  it.each([
    ['no zlib at all', Buffer.from('plain words')],
    ['half of it', deflateSync(Buffer.alloc(100_000, 97)).subarray(0, 60)],
    ['a bomb of 300 MB', deflateSync(Buffer.alloc(300_000_000))],
    ['zlib of no payload', deflateSync(Buffer.from('ab'))],
  ])('refuses compressed bytes that are %s', async (_name, data) => {
    const damaged = { metadata: { encoding: Buffer.from('binary/sluice-zlib') }, data };
    await expect(decode({}, [damaged])).rejects.toMatchObject({ code: 'PAYLOAD_DAMAGED' });
  });

  it('carries 5 MB as a reference of a few bytes', async () => {
    const text = incompressible(4_000_000);
    const turned = await encode({ payloadDir: dir }, json(text));
    expect(turned[0]!.data!.byteLength).toBeLessThan(200);
    const [back] = await decode({ payloadDir: dir }, turned);
    expect(value(back)).toBe(text);
  });
});

describe('the store', () => {
  it('holds nothing readable with a key', async () => {
    await encode({ payloadDir: dir, key: randomBytes(32) }, json(`needle ${incompressible(60_000)} needle`));
    const stored = await readFile(await blob());
    expect(stored.includes('needle')).toBe(false);
    expect(stored.includes(Buffer.from('json/plain').toString('base64'))).toBe(false);
  });

  it('keeps blobs for their owner alone, under their own hash, once', async () => {
    const payload = json(incompressible(60_000));
    await Promise.all([encode({ payloadDir: dir }, payload), encode({ payloadDir: dir }, payload)]);
    await encode({ payloadDir: dir }, payload);
    const path = await blob();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(path).toMatch(/\/[0-9a-f]{2}\/[0-9a-f]{64}$/);
  });

  it('makes a blob young again when it is referred to anew, for the cleaner', async () => {
    const payload = json(incompressible(60_000));
    await encode({ payloadDir: dir }, payload);
    await utimes(await blob(), 1, 1);
    await encode({ payloadDir: dir }, payload);
    expect((await stat(await blob())).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  });

  it('names hash and store when a blob is missing', async () => {
    const turned = await encode({ payloadDir: dir }, json(incompressible(60_000)));
    const path = await blob();
    await rm(path);
    const failure = decode({ payloadDir: dir }, turned);
    await expect(failure).rejects.toMatchObject({ code: 'PAYLOAD_MISSING', message: expect.stringContaining(path.split('/').pop()!) });
    await expect(failure).rejects.toThrow(dir);
  });

  it('refuses a blob that was changed', async () => {
    const turned = await encode({ payloadDir: dir }, json(incompressible(60_000)));
    const path = await blob();
    const bytes = await readFile(path);
    bytes[1000]! ^= 1;
    await writeFile(path, bytes);
    await expect(decode({ payloadDir: dir }, turned)).rejects.toMatchObject({ code: 'PAYLOAD_DAMAGED' });
  });

  it('says that there is no store where a reference is met without one', async () => {
    const turned = await encode({ payloadDir: dir }, json(incompressible(60_000)));
    await expect(decode({}, turned)).rejects.toMatchObject({ code: 'PAYLOAD_NO_STORE' });
  });

  it.each(['../../../etc/passwd', 'A'.repeat(64), '', '00'])('never follows a reference that is no hash: %j', async (sha256) => {
    const forged = { metadata: { encoding: Buffer.from('binary/sluice-claim') }, data: Buffer.from(JSON.stringify({ sha256, size: 1 })) };
    await expect(decode({ payloadDir: dir }, [forged])).rejects.toMatchObject({ code: 'PAYLOAD_DAMAGED' });
  });
});

describe('encryption', () => {
  it.each([
    ['body', -1],
    ['tag', 14],
    ['iv', 3],
  ])('refuses a payload whose %s was changed', async (_part, at) => {
    const key = randomBytes(32);
    const turned = await encode({ key }, json('secret words'));
    const bytes = Buffer.from(turned[0]!.data!);
    const index = at < 0 ? bytes.length + at : at;
    bytes[index]! ^= 1;
    await expect(decode({ key }, [{ ...turned[0]!, data: bytes }])).rejects.toMatchObject({ code: 'PAYLOAD_DAMAGED' });
  });

  it('refuses a payload cut short', async () => {
    const key = randomBytes(32);
    const turned = await encode({ key }, json('secret words'));
    await expect(decode({ key }, [{ ...turned[0]!, data: turned[0]!.data!.subarray(0, 20) }])).rejects.toMatchObject({
      code: 'PAYLOAD_DAMAGED',
    });
  });

  it('says which variable to set without a key, and that another key was used', async () => {
    const turned = await encode({ key: randomBytes(32) }, json('secret words'));
    await expect(decode({}, turned)).rejects.toThrow('SLUICE_ENCRYPTION_KEY');
    await expect(decode({ key: randomBytes(32) }, turned)).rejects.toMatchObject({ code: 'PAYLOAD_NO_KEY' });
  });

  it('never writes the same value the same way twice', async () => {
    const key = randomBytes(32);
    const [a, b] = await encode({ key }, json('x'), json('x'));
    expect(Buffer.from(a!.data!).equals(Buffer.from(b!.data!))).toBe(false);
  });
});

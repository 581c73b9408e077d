// Content-addressed files: the store of payloads too large to travel. Knows nothing of payloads or encryption.

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PayloadError } from './codec.js';

const HASH = /^[0-9a-f]{64}$/;

/** SHA-256 of some bytes in hex: a blob's name. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Where a blob lies: two levels, since a folder with a hundred thousand entries is slow to list. */
export function blobPath(dir: string, hash: string): string {
  // the hash comes out of a history: it must not be able to name any other file
  if (!HASH.test(hash)) throw new PayloadError('PAYLOAD_DAMAGED', `payload reference ${JSON.stringify(hash)} is no SHA-256`);
  return join(dir, hash.slice(0, 2), hash);
}

/** True when the blob is there; its age starts anew, so that a cleaner does not take it from under a new reference. */
async function touched(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Stores bytes under their hash; the same bytes once. Only a whole, synced file ever has the name: the reference goes into a
 * history that survives a power cut.
 * @returns the hash
 */
export async function putBlob(dir: string, bytes: Buffer): Promise<string> {
  const hash = sha256(bytes);
  const path = blobPath(dir, hash);
  if (await touched(path)) return hash;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
  return hash;
}

/**
 * Reads a blob and checks it against its name.
 * @throws PayloadError PAYLOAD_MISSING or PAYLOAD_DAMAGED, naming hash and store
 */
export async function getBlob(dir: string, hash: string): Promise<Buffer> {
  const path = blobPath(dir, hash);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'unknown';
    const why = 'it was cleaned, or lies in the store of another machine';
    throw new PayloadError('PAYLOAD_MISSING', `payload ${hash} is not in the store ${dir} (${code}): ${why}`, { cause: error });
  }
  if (sha256(bytes) === hash) return bytes;
  throw new PayloadError('PAYLOAD_DAMAGED', `payload ${hash} in the store ${dir} is damaged: its content has another SHA-256`);
}

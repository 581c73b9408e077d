// AES-256-GCM over whole payloads, metadata included. Second of the chain, so that the store behind it holds nothing readable.
// Without a key it encrypts nothing, and says which key is missing when it meets what was encrypted.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { ENCODINGS, PayloadError, codecOf, sealed, text } from './codec.js';
import { packPayload, unpackPayload } from './frame.js';
import { ENCRYPTION_KEY } from './key.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const KEY_ID = 'sluice-key';

/** Tells keys apart without telling anything of them: 8 hex digits of the key's SHA-256. */
export function keyId(key: Buffer): string {
  return createHash('sha256').update('sluice-key-id').update(key).digest('hex').slice(0, 8);
}

function seal(payload: Payload, key: Buffer): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv);
  // the encoding is authenticated too: nobody can pass this off as another kind of payload
  cipher.setAAD(Buffer.from(ENCODINGS.encrypted));
  const body = Buffer.concat([cipher.update(packPayload(payload)), cipher.final()]);
  return sealed(ENCODINGS.encrypted, Buffer.concat([iv, cipher.getAuthTag(), body]), { [KEY_ID]: keyId(key) });
}

function open(payload: Payload, key: Buffer | undefined): Payload {
  const written = text(payload, KEY_ID);
  if (!key) throw new PayloadError('PAYLOAD_NO_KEY', `payload is encrypted with key ${written}: set ${ENCRYPTION_KEY} to read it`);
  if (written !== keyId(key)) {
    throw new PayloadError('PAYLOAD_NO_KEY', `payload is encrypted with key ${written}, ${ENCRYPTION_KEY} holds key ${keyId(key)}`);
  }
  const bytes = Buffer.from(payload.data ?? []);
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(ENCODINGS.encrypted));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return unpackPayload(Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]));
  } catch (error) {
    throw new PayloadError('PAYLOAD_DAMAGED', `payload encrypted with key ${written} was changed after it was written`, { cause: error });
  }
}

/** Encrypts every payload when there is a key. `key` is 32 bytes (see `readEncryptionKey`). */
export function encryptCodec(key?: Buffer): PayloadCodec {
  return codecOf(ENCODINGS.encrypted, {
    takes: () => key !== undefined,
    encode: (payload) => (key ? seal(payload, key) : payload),
    decode: (payload) => open(payload, key),
  });
}

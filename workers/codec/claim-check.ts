// Puts payloads that are still large after compression and encryption into a store; a reference and its hash travel instead.
// Last of the chain. Without a store it keeps nothing, and says so when it meets a reference.

import type { Payload, PayloadCodec } from '@temporalio/common';
import { z } from 'zod';
import { getBlob, putBlob } from './blob-store.js';
import { ENCODINGS, PayloadError, codecOf, sealed } from './codec.js';
import { packPayload, unpackPayload } from './frame.js';

/** Above this a payload costs the history more than a file costs the disk (operations.md, Payloads). */
export const CLAIM_ABOVE_BYTES = 32 * 1024;

const Reference = z.strictObject({ sha256: z.string(), size: z.int() });

async function claim(payload: Payload, dir: string): Promise<Payload> {
  const packed = packPayload(payload);
  const reference = { sha256: await putBlob(dir, packed), size: packed.byteLength };
  return sealed(ENCODINGS.claimed, Buffer.from(JSON.stringify(reference)));
}

function readReference(payload: Payload): z.infer<typeof Reference> {
  const said = Buffer.from(payload.data ?? []).toString('utf8');
  try {
    return Reference.parse(JSON.parse(said));
  } catch (error) {
    throw new PayloadError('PAYLOAD_DAMAGED', `payload reference ${said.slice(0, 100)} cannot be read`, { cause: error });
  }
}

async function redeem(payload: Payload, dir: string | undefined): Promise<Payload> {
  const reference = readReference(payload);
  if (dir === undefined) {
    const { sha256, size } = reference;
    throw new PayloadError('PAYLOAD_NO_STORE', `payload ${sha256} (${size} bytes) lies in a store, and none is configured here`);
  }
  return unpackPayload(await getBlob(dir, reference.sha256));
}

/** Stores payloads above 32 KiB in `dir`, content-addressed. */
export function claimCheckCodec(dir?: string): PayloadCodec {
  return codecOf(ENCODINGS.claimed, {
    takes: (payload) => dir !== undefined && (payload.data?.byteLength ?? 0) > CLAIM_ABOVE_BYTES,
    encode: (payload) => (dir === undefined ? payload : claim(payload, dir)),
    decode: (payload) => redeem(payload, dir),
  });
}

// Compresses large payloads with zlib. First of the chain: what is encrypted no longer compresses.

import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { ENCODINGS, PayloadError, codecOf, sealed } from './codec.js';
import { packPayload, unpackPayload } from './frame.js';

/** Below this a payload is not worth the time and stays readable in Temporal's UI (operations.md, Payloads). */
export const COMPRESS_ABOVE_BYTES = 8 * 1024;

/** A bomb of a few KiB must not fill a worker's memory; nothing honest comes near (a plan is refused far below). */
const MAX_INFLATED_BYTES = 256 * 1024 * 1024;

const deflated = promisify(deflate);
const inflated = promisify(inflate);

async function compress(payload: Payload): Promise<Payload> {
  const packed = packPayload(payload);
  const smaller = await deflated(packed);
  return smaller.byteLength < packed.byteLength ? sealed(ENCODINGS.compressed, smaller) : payload;
}

async function decompress(payload: Payload): Promise<Payload> {
  try {
    return unpackPayload(await inflated(payload.data ?? Buffer.alloc(0), { maxOutputLength: MAX_INFLATED_BYTES }));
  } catch (error) {
    const reason = (error as { code?: string }).code ?? String(error);
    const size = payload.data?.byteLength ?? 0;
    throw new PayloadError('PAYLOAD_DAMAGED', `payload of ${size} compressed bytes cannot be inflated: ${reason}`, { cause: error });
  }
}

/** zlib for payloads above 8 KiB of data, where it makes them smaller. */
export function compressCodec(): PayloadCodec {
  return codecOf(ENCODINGS.compressed, {
    takes: (payload) => (payload.data?.byteLength ?? 0) > COMPRESS_ABOVE_BYTES,
    encode: compress,
    decode: decompress,
  });
}

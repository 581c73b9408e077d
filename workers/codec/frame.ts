// One payload as bytes and back: what the codecs compress, encrypt and store. Knows nothing of them.
// A frame is a 4-byte big-endian header length, a JSON header of base64 metadata, then the data as it was.

import type { Payload } from '@temporalio/common';

const LENGTH_BYTES = 4;

/** Writes metadata and data of a payload into one buffer. */
export function packPayload(payload: Payload): Buffer {
  const metadata: Record<string, string> = {};
  for (const [name, value] of Object.entries(payload.metadata ?? {})) metadata[name] = Buffer.from(value).toString('base64');
  const header = Buffer.from(JSON.stringify(metadata));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(header.byteLength);
  return Buffer.concat([length, header, payload.data ?? Buffer.alloc(0)]);
}

/**
 * Reads what `packPayload` wrote.
 * @throws Error when the bytes are no frame (they passed a digest or a tag before, so this is a defect and not an accident)
 */
export function unpackPayload(bytes: Buffer): Payload {
  const end = bytes.byteLength < LENGTH_BYTES ? Infinity : LENGTH_BYTES + bytes.readUInt32BE(0);
  if (end > bytes.byteLength) throw new Error(`payload frame of ${bytes.byteLength} bytes is shorter than its header`);
  const header = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end)) as Record<string, string>;
  const metadata: Record<string, Uint8Array> = {};
  for (const [name, value] of Object.entries(header)) metadata[name] = Buffer.from(value, 'base64');
  return { metadata, data: bytes.subarray(end) };
}

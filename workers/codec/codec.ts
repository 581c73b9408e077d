// What the three codecs share: their encodings, their error, and how one payload of many is turned. Knows none of them.

import type { Payload, PayloadCodec } from '@temporalio/common';

/** Values of the metadata key `encoding`. They are written into histories: never reuse or rename one. */
export const ENCODINGS = {
  compressed: 'binary/sluice-zlib',
  encrypted: 'binary/sluice-aes256gcm',
  claimed: 'binary/sluice-claim',
} as const;

export type PayloadErrorCode = 'PAYLOAD_MISSING' | 'PAYLOAD_DAMAGED' | 'PAYLOAD_NO_KEY' | 'PAYLOAD_NO_STORE';

/** A payload that cannot be read here. The message names what, where and what to do. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';

  constructor(
    readonly code: PayloadErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The encoding a payload says it has; empty when it says none. */
export function encodingOf(payload: Payload): string {
  return text(payload, 'encoding');
}

/** A metadata value as text. */
export function text(payload: Payload, name: string): string {
  const value = payload.metadata?.[name];
  return value ? Buffer.from(value).toString('utf8') : '';
}

/** A payload of ours: its encoding, further metadata as text, and its bytes. */
export function sealed(encoding: string, data: Buffer, more: Readonly<Record<string, string>> = {}): Payload {
  const metadata: Record<string, Uint8Array> = { encoding: Buffer.from(encoding) };
  for (const [name, value] of Object.entries(more)) metadata[name] = Buffer.from(value);
  return { metadata, data };
}

export interface Turn {
  /** true when `encode` is for this payload; the others pass */
  takes(payload: Payload): boolean;
  encode(payload: Payload): Payload | Promise<Payload>;
  decode(payload: Payload): Payload | Promise<Payload>;
}

/**
 * A codec that writes one encoding. When decoding, every other encoding passes through untouched: histories mix payloads of before
 * and after a setting changed, and payloads of other programs.
 */
export function codecOf(encoding: string, turn: Turn): PayloadCodec {
  const each = async (payloads: Payload[], wanted: (p: Payload) => boolean, change: Turn['encode']): Promise<Payload[]> => {
    // most payloads are small and plain: no promise for each of them
    if (!payloads.some(wanted)) return payloads;
    return Promise.all(payloads.map(async (payload) => (wanted(payload) ? change(payload) : payload)));
  };
  return {
    encode: (payloads) => each(payloads, turn.takes, turn.encode),
    decode: (payloads) => each(payloads, (payload) => encodingOf(payload) === encoding, turn.decode),
  };
}

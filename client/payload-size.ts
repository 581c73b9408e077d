// What a run's input weighs on the wire, so that a plan too large for the server is refused before it is sent (case O-44).

import type { PayloadCodec } from '@temporalio/common';
import { done, refused, type Tried } from '../model/errors.js';
import type { RunInput } from '../model/run/input.js';
import type { Door } from './connect.js';

/** The server refuses a payload over 2 MB (`limit.blobSize.error`). */
const MAX_PAYLOAD_BYTES = 2 * 1024 * 1024;

/** Below this no codec is asked: nothing can make it larger than the limit. */
const SURELY_SMALL_BYTES = 1024 * 1024;

/**
 * Weighs the input as the codecs will send it (compressed, or as a reference into a store).
 * @returns refusal `too-large` with the size, the limit and the ways out
 */
export async function checkInputSize(door: Door, input: RunInput): Promise<Tried<undefined>> {
  const json = new TextEncoder().encode(JSON.stringify(input));
  if (json.byteLength <= SURELY_SMALL_BYTES) return done(undefined);
  const sent = await encodedBytes(door.client.options.loadedDataConverter.payloadCodecs, json);
  if (sent <= MAX_PAYLOAD_BYTES) return done(undefined);
  return refused('too-large', tooLarge(input, json.byteLength, sent));
}

async function encodedBytes(codecs: PayloadCodec[], json: Uint8Array): Promise<number> {
  let payloads = [{ metadata: { encoding: new TextEncoder().encode('json/plain') }, data: json }] as Parameters<PayloadCodec['encode']>[0];
  for (const codec of codecs) payloads = await codec.encode(payloads);
  return payloads.reduce((sum, payload) => sum + (payload.data?.byteLength ?? 0), 0);
}

function tooLarge(input: RunInput, plain: number, sent: number): string {
  const size = sent === plain ? mb(plain) : `${mb(plain)} (${mb(sent)} as sent)`;
  return (
    `plan ${input.plan.name} is ${size}, over the ${mb(MAX_PAYLOAD_BYTES)} that Temporal takes in one payload; ` +
    'give the fleet a shared payloadStore, or move long prompts into files that the nodes read'
  );
}

function mb(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

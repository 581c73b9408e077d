// The data converter that every client and worker of Sluice uses: the codecs in their order, and which store they may have.

import { isIP } from 'node:net';
import type { DataConverter } from '@temporalio/common';
import { claimCheckCodec } from './claim-check.js';
import { compressCodec } from './compress.js';
import { encryptCodec } from './encrypt.js';

export interface DataConverterOptions {
  /** store of large payloads, absolute; none: they travel whole, up to the server's 2 MB */
  payloadDir?: string;
  /** 32 bytes, see `readEncryptionKey` */
  key?: Buffer;
}

/** Codecs are applied in this order and undone in reverse (operations.md, Payloads). */
export function createDataConverter(options: DataConverterOptions): DataConverter {
  return { payloadCodecs: [compressCodec(), encryptCodec(options.key), claimCheckCodec(options.payloadDir)] };
}

/** A folder that all machines of the fleet see, set by whoever runs them; only this makes a store usable off the local machine. */
export const PAYLOAD_STORE = 'SLUICE_PAYLOAD_STORE';

export interface StoreOptions {
  /** host:port of Temporal */
  address: string;
  env: Readonly<Record<string, string | undefined>>;
  /** this machine's own store, absolute */
  local: string;
}

/**
 * The store for a Temporal at `address`: the shared one if there is one, `local` on this machine, else none (a reference into
 * this disk would be unreadable on the machine that gets it).
 */
export function payloadStore({ address, env, local }: StoreOptions): string | undefined {
  return env[PAYLOAD_STORE] || (isLoopback(address) ? local : undefined);
}

/** True for an address (`host:port`) on this machine. */
export function isLoopback(address: string): boolean {
  const host = address
    .replace(/^[a-z]+:\/\//, '')
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

// Reads the key of payload encryption from an environment. Never prints any part of it.

/** Name of the variable: 32 bytes in base64, the same on every client and worker. */
export const ENCRYPTION_KEY = 'SLUICE_ENCRYPTION_KEY';

const KEY_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

export type KeyReading = { ok: true; key?: Buffer } | { ok: false; reason: string };

/**
 * The key in `SLUICE_ENCRYPTION_KEY`; none when it is unset or empty.
 * @returns a refusal for anything but 32 bytes of base64: running on unencrypted would be the worst answer to a typing mistake
 */
export function readEncryptionKey(env: Readonly<Record<string, string | undefined>>): KeyReading {
  const given = env[ENCRYPTION_KEY]?.trim();
  if (!given) return { ok: true };
  const howTo = 'make one with: node -p "crypto.randomBytes(32).toString(\'base64\')"';
  if (!BASE64.test(given)) return { ok: false, reason: `${ENCRYPTION_KEY} is not base64; ${howTo}` };
  const key = Buffer.from(given, 'base64');
  if (key.byteLength === KEY_BYTES) return { ok: true, key };
  return { ok: false, reason: `${ENCRYPTION_KEY} holds ${key.byteLength} bytes, not ${KEY_BYTES}; ${howTo}` };
}

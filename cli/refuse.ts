// How a refusal is said: one line on stderr, the cause with --verbose, the document with --json; and its exit code.

import { exitCodeOf, type Refusal } from '../model/errors.js';
import type { Io } from './io.js';
import { safe } from './render/plain.js';

/** @returns the exit code of the refusal's kind */
export function refuse(io: Io, refusal: Refusal): number {
  // a config may have several problems, each with its place
  for (const line of safe(refusal.message).split('\n')) io.err(`sluice: ${line}`);
  if (io.verbose && refusal.cause !== undefined) io.err(`  cause: ${refusal.cause}`);
  if (io.json) io.out(JSON.stringify({ error: refusal }));
  return exitCodeOf(refusal.code);
}

/** A usage error: what is wrong, and what to give. */
export function misuse(io: Io, message: string): number {
  return refuse(io, { code: 'usage', message });
}

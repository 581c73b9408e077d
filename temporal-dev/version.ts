// Whether a file is a Temporal CLI that can serve us, by running it. Knows nothing of where the file was found.

import { execa } from 'execa';
import { reasonOf } from './reason.js';

/** The first CLI with every flag of server.ts that was tried (operations.md, Dev server). */
const OLDEST = { major: 1, minor: 4 };

/** It prints one line; a file that takes longer is not a Temporal CLI. Generous, for a first run from a cold disk. */
const TIMEOUT_MS = 15_000;

/** @returns the CLI's version, or why this file cannot be used */
export async function cliVersion(path: string): Promise<{ version: string } | { unusable: string }> {
  const ran = await execa(path, ['--version'], { timeout: TIMEOUT_MS, stdin: 'ignore', reject: false, maxBuffer: 10_000 });
  if (ran.failed) return { unusable: `cannot be run (${ran.code ?? reasonOf(ran)})` };
  const [, version = '', major, minor] = /^temporal version ((\d+)\.(\d+)\.\S+)/.exec(ran.stdout) ?? [];
  if (version === '') return { unusable: 'is not a Temporal CLI: it does not tell its version' };
  const old = Number(major) < OLDEST.major || (Number(major) === OLDEST.major && Number(minor) < OLDEST.minor);
  return old ? { unusable: `is version ${version}; ${OLDEST.major}.${OLDEST.minor} or newer is needed` } : { version };
}

// Asks a person for what is missing, on a terminal only.

import { createInterface } from 'node:readline/promises';
import type { Io } from './io.js';

/** @returns what was typed; undefined for nothing, end of input, or without a terminal */
export async function ask(io: Io, question: string): Promise<string | undefined> {
  if (!io.tty || io.json) return undefined;
  // on stderr, so that a document on stdout stays one
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await Promise.race([lines.question(question), new Promise<string>((resolve) => lines.once('close', () => resolve('')))]);
    return answer.trim() === '' ? undefined : answer.trim();
  } finally {
    lines.close();
  }
}

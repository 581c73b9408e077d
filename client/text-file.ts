// Files that people write, read whole: regular files of UTF-8 below a size, or why not.

import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** plan.md, Refusals: more is no text that a person wrote, and reading it would hold the machine up. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

export type TextFile = { ok: true; text: string; sha256: string } | { ok: false; code: string; reason: string };

/** A byte-order mark is left out; CRLF stays as it is. */
export async function readTextFile(path: string): Promise<TextFile> {
  try {
    // looked at before it is opened: opening a named pipe would wait for a writer
    const reason = unfit(await stat(path));
    return reason ?? decode(await readFile(path));
  } catch (error) {
    return { ok: false, code: codeOf(error), reason: reasonOf(error) };
  }
}

function unfit(stats: Stats): TextFile | undefined {
  if (!stats.isFile())
    return { ok: false, code: 'EISDIR', reason: stats.isDirectory() ? 'is a folder, not a file' : 'is not a regular file' };
  if (stats.size <= MAX_FILE_BYTES) return undefined;
  return { ok: false, code: 'EFBIG', reason: `is ${stats.size} bytes; at most ${MAX_FILE_BYTES} (8 MiB) are read` };
}

function decode(bytes: Buffer): TextFile {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { ok: true, text, sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch {
    // the decoder has one fault to tell, and it is this one
    return { ok: false, code: 'EILSEQ', reason: 'is not UTF-8' };
  }
}

/** Node's own code of an error, `unknown` when it has none. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : 'unknown';
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  return code === 'EACCES' || code === 'EPERM' ? 'may not be read' : `cannot be read (${code})`;
}

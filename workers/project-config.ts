// The project's configuration as a worker reads it: for each dispatch, so the last reading is kept until the file changes.
// A file that became broken never stops what runs: it is a warning, and what was good before stays.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { Config } from '../model/config.js';

/** The file in the project's folder. */
export const CONFIG_FILE = 'sluice.config.yaml';

/** An honest config repeats a few aliases; a bomb multiplies them (case O-37). */
const MAX_ALIASES = 1_000;

interface Kept {
  stamp: string;
  config: Config;
}

/**
 * Makes the reader of one worker process.
 * @param warn gets one line for each new fault: file, line, what is wrong
 */
export function projectConfigs(warn: (line: string) => void): (projectDir: string) => Promise<Config> {
  const kept = new Map<string, Kept>();
  return async (projectDir) => {
    const path = join(projectDir, CONFIG_FILE);
    const last = kept.get(path);
    const stamp = await stampOf(path);
    if (last?.stamp === stamp) return last.config;
    const read = stamp === 'absent' ? { ok: true as const, config: {} } : await readConfig(path);
    if (!read.ok) warn(`${read.reason}; using ${last ? 'what it said before' : 'no configuration'} until it is mended`);
    const config = read.ok ? read.config : (last?.config ?? {});
    kept.set(path, { stamp, config });
    return config;
  };
}

/** Changes whenever the file does; size and inode too, since two writes may fall into one tick of the clock. */
async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs}/${size}/${ino}`;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'absent';
    return `unreadable/${code}`;
  }
}

async function readConfig(path: string): Promise<{ ok: true; config: Config } | { ok: false; reason: string }> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return { ok: false, reason: `${path}: cannot be read (${(error as { code?: string }).code})` };
  }
  return parseConfig(text, path);
}

/** Reads a config strictly: one sentence with file and line for what is wrong first. */
export function parseConfig(text: string, path: string): { ok: true; config: Config } | { ok: false; reason: string } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const at = (offset: number | undefined): string => (offset === undefined ? path : `${path}:${lines.linePos(offset).line}`);
  const broken = document.errors[0];
  if (broken) return { ok: false, reason: `${at(broken.pos[0])}: ${broken.message.split('\n')[0]}` };
  let plain: unknown;
  try {
    plain = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    return { ok: false, reason: `${path}: ${(error as Error).message}` };
  }
  // an empty file is an empty configuration
  const parsed = Config.safeParse(plain ?? {});
  if (parsed.success) return { ok: true, config: parsed.data };
  const issue = parsed.error.issues[0]!;
  const keys = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : issue.path;
  const where = document.getIn(keys, true) as { range?: [number, number, number] | null } | undefined;
  return { ok: false, reason: `${at(where?.range?.[0])}: ${issue.path.join('.')}: ${issue.message}` };
}

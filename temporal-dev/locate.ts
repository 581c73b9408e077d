// Finds the Temporal CLI: the user's own word, PATH, the cache, a download (operations.md, Dev server). Starts nothing.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { cachedBinary, cachePaths } from './cache.js';
import { fetchCli, type FetchOptions } from './fetch.js';
import { cliVersion } from './version.js';

export interface LocatedCli {
  /** absolute */
  path: string;
  /** like `1.9.1` */
  version: string;
  source: 'setting' | 'path' | 'cache' | 'fetched';
}

export type LocateOptions = FetchOptions;

const SETTING = 'SLUICE_TEMPORAL_CLI';

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false; // absent or not ours to run: the same for a search
  }
}

async function onPath(env: LocateOptions['env']): Promise<string | undefined> {
  // relative entries would mean another program in each folder
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of folders) if (await isExecutable(join(folder, 'temporal'))) return join(folder, 'temporal');
  return undefined;
}

/** A setting is an order: when it is wrong nothing else is tried, or a person would wonder which CLI it was. */
async function bySetting(path: string): Promise<LocatedCli | { refused: string }> {
  const checked = await cliVersion(path);
  if ('version' in checked) return { path, version: checked.version, source: 'setting' };
  return { refused: `${SETTING}=${path} ${checked.unusable}; set it to a Temporal CLI, or unset it` };
}

function nothingFound(tried: string[]): { refused: string } {
  return { refused: `no Temporal CLI to be had. Tried: ${tried.join('; ')}. Install the Temporal CLI and set ${SETTING} to its path` };
}

/**
 * Finds the CLI, fetching it once when there is none.
 * @returns where it is, or one line that says what was tried and what to do
 * @throws when the cache folder cannot be read or written
 */
export async function locateCli(options: LocateOptions): Promise<LocatedCli | { refused: string }> {
  const { env, cacheDir } = options;
  const setting = env[SETTING];
  if (setting) return bySetting(setting);
  const tried = [`${SETTING} (not set)`];
  const found = await onPath(env);
  if (found) {
    const checked = await cliVersion(found);
    if ('version' in checked) return { path: found, version: checked.version, source: 'path' };
    tried.push(`${found} ${checked.unusable}`);
  } else tried.push('temporal on PATH (none)');
  const cached = await cachedBinary(cacheDir);
  if (typeof cached !== 'string') {
    const checked = await cliVersion(cached.binary);
    if ('version' in checked) return { path: cached.binary, version: checked.version, source: 'cache' };
    tried.push(`${cached.binary} ${checked.unusable}`);
  } else tried.push(`the cache ${cachePaths(cacheDir).dir} (${cached})`);
  const fetched = await fetchCli(options);
  return 'failed' in fetched ? nothingFound([...tried, ...fetched.failed]) : { ...fetched, source: 'fetched' };
}

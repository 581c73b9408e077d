// The one CLI that was fetched: a folder with the binary and its checksum, put there by one rename, whole or not at all.
// Knows nothing of where it comes from.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const BINARY = 'temporal';
const CHECKSUM = 'temporal.sha256';

/** Files of the CLI below the user's cache folder. */
export function cachePaths(cacheDir: string) {
  const dir = join(cacheDir, 'temporal-cli');
  const current = join(dir, 'current');
  return { dir, lock: join(dir, 'lock'), current, binary: join(current, BINARY), checksum: join(current, CHECKSUM) };
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * Looks for the binary and compares it with its checksum, at each use: a disk that filled up, or a hand that slipped, is found here
 * and not in a server that crashes. Costs about 0.2 s for 150 MB.
 * @returns the binary's path; `damaged` is a reason to fetch again
 */
export async function cachedBinary(cacheDir: string): Promise<{ binary: string } | 'absent' | 'damaged'> {
  const { binary, checksum } = cachePaths(cacheDir);
  try {
    const [expected] = (await readFile(checksum, 'utf8')).split(' ');
    return (await sha256(binary)) === expected ? { binary } : 'damaged';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'absent';
    throw error;
  }
}

/** A folder to fetch into, on the cache's own disk so that a rename can end it. Those of killed predecessors go: call under the lock. */
export async function freshWorkFolder(cacheDir: string): Promise<string> {
  const { dir } = cachePaths(cacheDir);
  for (const name of await readdir(dir)) if (name.startsWith('part-')) await rm(join(dir, name), { recursive: true, force: true });
  return mkdtemp(join(dir, 'part-'));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes `file` the cached CLI. Both files are on the disk before the rename, so a power cut leaves the old one, or none.
 * @param work the folder of `freshWorkFolder`
 */
export async function installBinary(cacheDir: string, file: string, work: string): Promise<string> {
  const { current, binary } = cachePaths(cacheDir);
  const next = join(work, 'next');
  await mkdir(next);
  await rename(file, join(next, BINARY)).catch(() => copyFile(file, join(next, BINARY))); // another disk: copied
  // the format of sha256sum, so that a person can check it too
  await writeFile(join(next, CHECKSUM), `${await sha256(join(next, BINARY))}  ${BINARY}\n`);
  await sync(join(next, BINARY));
  await sync(join(next, CHECKSUM));
  await rm(current, { recursive: true, force: true });
  await rename(next, current);
  return binary;
}

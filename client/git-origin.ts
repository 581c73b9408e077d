// The URL of a checkout's remote `origin`, read from git's own files. git is not run: the answer is needed before anything else is.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** @returns the URL without a user or password in it; undefined without a checkout or a remote of that name */
export async function originUrl(dir: string): Promise<string | undefined> {
  const config = await textOf(join(await commonDir(dir), 'config'));
  return config === undefined ? undefined : withoutSecret(urlIn(config));
}

/** `.git` is a folder, or in a worktree and a submodule a file that names one; a worktree's folder names the common one. */
async function commonDir(dir: string): Promise<string> {
  const dotGit = join(dir, '.git');
  const pointer = /^gitdir:\s*(.+)$/m.exec((await textOf(dotGit)) ?? '')?.[1];
  if (pointer === undefined) return dotGit;
  const gitDir = resolve(dir, pointer.trim());
  const common = await textOf(join(gitDir, 'commondir'));
  return common === undefined ? gitDir : resolve(gitDir, common.trim());
}

function urlIn(config: string): string | undefined {
  let inOrigin = false;
  for (const line of config.split('\n')) {
    const section = /^\s*\[(.*)\]/.exec(line)?.[1];
    if (section !== undefined) inOrigin = /^remote\s+"origin"$/.test(section.trim());
    const url = inOrigin ? /^\s*url\s*=\s*(.+?)\s*$/.exec(line)?.[1] : undefined;
    if (url !== undefined) return url.replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

/** Ids are written into events and reports; tokens in a remote's URL must not be. */
function withoutSecret(url: string | undefined): string | undefined {
  return url?.replace(/^([a-z+]+:\/\/)[^/@]*@/, (whole, scheme: string) => (scheme.startsWith('ssh') ? whole : scheme));
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // not a checkout, a folder where a file would be, or not ours to read: then there is no URL to learn here
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES'].includes((error as { code?: string }).code ?? '')) return undefined;
    throw error;
  }
}

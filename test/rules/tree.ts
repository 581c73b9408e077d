// The files of the project as git sees them: what is tracked, and what is new and not ignored. For the rule tests alone.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

export const ROOT = process.cwd();

/** Paths from the root, sorted; files deleted but still in the index are left out by git's own `--deduplicate` and the read below. */
export async function projectFiles(): Promise<string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const [listed, deleted] = await Promise.all([git(args), git(['ls-files', '-z', '--deleted'])]);
  return listed.filter((path) => !deleted.includes(path)).sort();
}

async function git(args: string[]): Promise<string[]> {
  const { stdout } = await execa('git', args, { cwd: ROOT, stdin: 'ignore' });
  return stdout.split('\0').filter((path) => path !== '');
}

export function read(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8');
}

/** Path and text of every file whose path matches. */
export async function texts(pattern: RegExp): Promise<{ path: string; text: string }[]> {
  const paths = (await projectFiles()).filter((path) => pattern.test(path));
  return Promise.all(paths.map(async (path) => ({ path, text: await read(path) })));
}

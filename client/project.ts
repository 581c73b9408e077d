// Which project a plan or a call belongs to: its folder and its id. Reads a few files; runs nothing.

import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { done, refused, type Tried } from '../model/errors.js';
import type { ProjectRef } from '../model/run/input.js';
import { originUrl } from './git-origin.js';

export const CONFIG_FILE = 'sluice.config.yaml';

/**
 * The project of a plan file or of a folder: the nearest parent that has a `sluice.config.yaml`, else the top of its git
 * checkout, else its own folder. A plan is judged from where it lies, not from where the command was called.
 * Its id is the config's `project`, else the URL of its git remote `origin`, else its path (plan.md).
 */
export async function openProject(at: string, env: Readonly<Record<string, string | undefined>> = {}): Promise<Tried<ProjectRef>> {
  const start = await folderOf(resolve(at));
  if (start === undefined) return refused('not-found', `${at} does not exist`);
  const dir = (await nearestWith(start, CONFIG_FILE)) ?? (await nearestWith(start, '.git')) ?? start;
  const id = env.SLUICE_PROJECT || (await configuredId(dir)) || (await originUrl(dir)) || dir;
  return done({ id, dir });
}

/** The real folder of a file or folder: links on the way would give one project two paths. */
async function folderOf(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    // a linked plan file belongs where the link lies
    return (await stat(real)).isDirectory() ? real : await realpath(dirname(path));
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function nearestWith(start: string, name: string): Promise<string | undefined> {
  for (let dir = start; ; dir = dirname(dir)) {
    if (await exists(join(dir, name))) return dir;
    if (dir === dirname(dir)) return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** Only this one key, and leniently: what else is wrong with a config is told by `loadConfig`. */
async function configuredId(dir: string): Promise<string | undefined> {
  try {
    const config = parse(await readFile(join(dir, CONFIG_FILE), 'utf8'), { logLevel: 'silent' }) as { project?: unknown } | null;
    return typeof config?.project === 'string' ? config.project : undefined;
  } catch {
    // absent, or no YAML: `loadConfig` says which, with the line
    return undefined;
  }
}

/** Not there, or not to be seen by us: to a search upwards it is the same. */
function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes((error as { code?: string }).code ?? '');
}

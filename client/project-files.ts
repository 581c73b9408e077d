// What a plan names on the disk: prompt files are read, and nothing may leave the project by a symbolic link.
// Where a path leaves by its text (`..`, absolute) is told by model/plan/check-files.ts.

import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { normalDir } from '../model/plan/check-files.js';
import { outline } from '../model/plan/outline.js';
import type { Problem } from '../model/plan/problem.js';
import type { FileSite } from '../model/plan/sites.js';
import { fileSites, isCloneUrl } from '../model/plan/sites.js';
import { readTextFile } from './text-file.js';

export interface ProjectFiles {
  problems: Problem[];
  /** by the path the plan names it with */
  promptFiles: Record<string, string>;
}

/** Looks at every path of a plan's value, each once. */
export async function readProjectFiles(projectDir: string, raw: unknown): Promise<ProjectFiles> {
  const root = await realpath(projectDir);
  const promptFiles: Record<string, string> = {};
  const problems: Problem[] = [];
  const judged = new Map<string, string | undefined>();
  for (const site of fileSites(outline(raw)).filter(isInText)) {
    const key = `${site.what} ${site.value}`;
    if (!judged.has(key)) judged.set(key, await judge(root, site, promptFiles));
    const message = judged.get(key);
    if (message !== undefined) problems.push({ path: site.path, message });
  }
  return { problems, promptFiles };
}

/** Paths that by their text stay inside; an output file lies below a folder that may not be there yet. */
function isInText({ what, value }: FileSite): boolean {
  if (what === 'outputFile' || (what === 'repo' && isCloneUrl(value))) return false;
  return !value.startsWith('/') && !value.includes('\0') && normalDir(value) !== undefined;
}

/** What is wrong with it, if anything; a prompt's text is put into `promptFiles`. */
async function judge(root: string, { what, value }: FileSite, promptFiles: Record<string, string>): Promise<string | undefined> {
  const real = await nearestReal(join(root, value));
  if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
    return `\`${value}\` leaves the project through a symbolic link`;
  if (what !== 'promptFile') return (await isFile(join(root, value))) ? `\`${value}\` is a file, not a folder` : undefined;
  const read = await readTextFile(join(root, value));
  if (!read.ok) return `\`${value}\` ${read.reason}`;
  promptFiles[value] = read.text;
  return undefined;
}

/** Where a path really lies: of one that is not there yet, the nearest folder that is. */
async function nearestReal(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return await realpath(at);
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code === 'ENOENT' && (await isLink(at))) return resolve(dirname(at), await readlink(at));
      if (at === dirname(at) || !['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(code ?? '')) throw error;
    }
  }
}

/** A link to something that is not there yet would take it outside the moment it is made. */
async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return false;
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    // not there yet: an earlier node may make it
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

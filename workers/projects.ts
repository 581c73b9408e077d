// Where a run's project is on this host. Knows folders, not what is in them.

import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { ProjectRef } from '../model/run/input.js';

/** Project id to its absolute folder on this host, for machines that are not the run's home. */
export type ProjectMap = Readonly<Record<string, string>>;

/** Name of the variable: `id=/path` pairs, parted by `;` or a line end (ids may be URLs, so not by a colon). */
export const PROJECTS = 'SLUICE_PROJECTS';

/** Reads the variable; a pair that cannot be used is left out with a warning that names it. */
export function readProjects(value: string | undefined): { projects: ProjectMap; warnings: string[] } {
  const projects: Record<string, string> = {};
  const warnings: string[] = [];
  for (const pair of (value ?? '')
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)) {
    // the last `=/`: an id that is a URL may hold `=` itself
    const at = pair.lastIndexOf('=/');
    const dir = pair.slice(at + 1);
    if (at <= 0 || !isAbsolute(dir)) warnings.push(`${PROJECTS}: ${JSON.stringify(pair)} is not ID=/absolute/path, ignored`);
    else projects[pair.slice(0, at)] = dir;
  }
  return { projects, warnings };
}

/**
 * The project's folder on this host: what `SLUICE_PROJECTS` says, else the home's own path where it exists here.
 * @returns undefined when this host does not have the project
 */
export async function projectDir(projects: ProjectMap, ref: ProjectRef): Promise<string | undefined> {
  const dir = Object.hasOwn(projects, ref.id) ? projects[ref.id]! : ref.dir;
  try {
    return (await stat(dir)).isDirectory() ? dir : undefined;
  } catch (error) {
    const code = (error as { code?: string }).code;
    // nothing there, or nothing this user may see: either way the project is missing here, and the dispatch says so
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined;
    throw error;
  }
}

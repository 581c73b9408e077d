// Finds where a dispatch runs on this host: its project, and the folder inside it. Touches only folders, never their content.

import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { ProjectRef } from '../contract.js';
import { codeOf } from '../failures.js';

export type Place =
  /** `dir` is inside the project; `project` is spelled as the host spells it, so that others find the run's files */
  { ok: true; project: string; dir: string } | { ok: false; reason: string };

/**
 * @param projectDir the host's answer for the project, undefined when it is not here
 * @param dir relative to the project
 * @returns a refusal when either is missing, or `dir` leaves the project, also by a symbolic link (operations.md, Security)
 */
export async function findPlace(projectDir: string | undefined, ref: ProjectRef, host: string, dir?: string): Promise<Place> {
  if (projectDir === undefined) return { ok: false, reason: `project ${ref.id} (${ref.dir}) is not on host ${host}` };
  // the host has just seen that it is a folder, and nothing leads out of it
  if (dir === undefined || dir === '.') return { ok: true, project: projectDir, dir: projectDir };
  const root = await realFolder(projectDir);
  if (!root.ok) return root;
  const inner = await realFolder(resolve(root.path, dir));
  if (!inner.ok) return inner;
  if (!isInside(root.path, inner.path))
    return { ok: false, reason: `dir ${dir} leads to ${inner.path}, outside the project ${projectDir}` };
  return { ok: true, project: projectDir, dir: inner.path };
}

/** True for `root` itself and what lies below it; both are real paths. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function realFolder(path: string): Promise<{ ok: true; path: string } | { ok: false; reason: string }> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return { ok: true, path: real };
    return { ok: false, reason: `${path} is no folder` };
  } catch (error) {
    return { ok: false, reason: `${path} cannot be entered (${codeOf(error) ?? String(error)})` };
  }
}

// Finds a run's folder on this host, and answers for disks that refuse. Used by the activities that keep a run's files.

import { isId } from '../model/ids.js';
import { runPaths } from '../model/paths.js';
import type { ProjectRef, Written } from './contract.js';
import type { ActivityDeps } from './deps.js';
import { codeOf, messageOf } from './failures.js';

export type RunFolder = { ok: true; paths: ReturnType<typeof runPaths> } | { ok: false; code: string; message: string };

/** @param run becomes part of a path: anything but an id is refused */
export async function runFolder(deps: ActivityDeps, ref: ProjectRef, run: string): Promise<RunFolder> {
  if (!isId(run)) return { ok: false, code: 'EINVAL', message: `${JSON.stringify(run)} is no run id` };
  const project = await deps.projectDir(ref);
  if (project === undefined) return { ok: false, code: 'ENOENT', message: `project ${ref.id} (${ref.dir}) is not on host ${deps.host}` };
  return { ok: true, paths: runPaths(project, run) };
}

/**
 * A disk that refuses (full, read-only, not ours, not a folder…) is an answer that the run has to weigh, not a failure to be retried
 * blindly: only what is no word of the system's is thrown.
 */
export async function writtenOr(write: () => Promise<Written>): Promise<Written> {
  try {
    return await write();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { written: false, code, message: messageOf(error) };
  }
}

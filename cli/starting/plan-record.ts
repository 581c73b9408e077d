// Keeps the plan beside the journal of the run that it starts, and finds out before anything starts whether the project can be written.

import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { done, refused, type Tried } from '../../model/errors.js';
import { runPaths } from '../../model/paths.js';
import type { CompiledPlan } from '../../model/plan/compiled.js';

export interface PlanRecord {
  path: string;
  /** takes it back when the run could not be started */
  undo(): Promise<void>;
}

/**
 * Writes the compiled plan to `.sluice/runs/<run>/plan.json`.
 * @returns refusal `disk` naming path and reason; `usage` when a run of that id was here before
 */
export async function writePlanRecord(project: string, run: string, plan: CompiledPlan): Promise<Tried<PlanRecord>> {
  const { dir, plan: path } = runPaths(project, run);
  try {
    await mkdir(dir, { recursive: true });
    await keepOutOfGit(project);
    await writeFile(path, `${JSON.stringify(plan, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    const { code = 'unknown error', path: at = path } = error as { code?: string; path?: string };
    if (code === 'EEXIST' && at === path)
      return refused('usage', `${path} is there already: a run ${run} was started here before; give another --id`);
    return refused('disk', `cannot write ${at} (${code}): a run keeps its plan and journal there; nothing was started`);
  }
  return done({ path, undo: () => undo(dir, path) });
}

/** A project that nobody called `sluice init` in is not to have journals and logs in its commits. */
async function keepOutOfGit(project: string): Promise<void> {
  const file = join(project, '.sluice', '.gitignore');
  await writeFile(file, '*\n', { flag: 'wx' }).catch((error: { code?: string }) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function undo(dir: string, path: string): Promise<void> {
  await rm(path, { force: true });
  // only an empty folder goes: if a worker has written to it, the run did start
  await rmdir(dir).catch((error: { code?: string }) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT') throw error;
  });
}

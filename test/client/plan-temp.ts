// Plans and projects in temp folders for the tests of this folder.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Config } from '../../model/config.js';
import { loadPlan } from '../../client/plan-file.js';
import type { LoadOptions, LoadedPlan } from '../../client/plan-file.js';

export const CONFIG: Config = { agents: { mine: { adapter: 'command', argv: ['./agent.sh'] } }, executors: { gpu: {} } };

/** A folder of its own with these files, removed after `use`. */
export async function inFolder<T>(files: Record<string, string | Buffer>, use: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-plan-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(dir, name)), { recursive: true });
      await writeFile(join(dir, name), content);
    }
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Loads one plan text as `plan.yaml` (or another name) of a project with nothing else in it. */
export function load(
  text: string | Buffer,
  options: Partial<LoadOptions> & { name?: string; files?: Record<string, string> } = {},
): Promise<LoadedPlan> {
  const { name = 'plan.yaml', files = {}, ...rest } = options;
  return inFolder({ ...files, [name]: text }, (dir) => loadPlan(join(dir, name), { inputs: {}, config: CONFIG, projectDir: dir, ...rest }));
}

/** The problems of a refused plan as `line:column path: message (hint)`. */
export function told(loaded: LoadedPlan): string[] {
  if (loaded.ok) return [];
  return loaded.problems.map(
    ({ line, column, path, message, hint }) => `${line}:${column} ${path}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
}

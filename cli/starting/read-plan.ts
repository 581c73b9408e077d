// Reads a plan for `check` and `run`, and says everything that is wrong with it at once.

import { resolve } from 'node:path';
import { EXIT } from '../../model/errors.js';
import type { CompiledPlan } from '../../model/plan/compiled.js';
import { formatProblem, loadPlan, type LoadOptions, type PlanProblem } from '../../client/plan-file.js';
import type { Io } from '../io.js';
import { safe } from '../render/plain.js';
import type { Settings } from '../settings.js';

export interface ReadPlan {
  /** absolute */
  path: string;
  sha256: string;
  plan: CompiledPlan;
  warnings: string[];
  /** what this release checks and does not run */
  notYet: PlanProblem[];
}

export interface PlanRequest extends Pick<LoadOptions, 'inputs' | 'agentFlag' | 'inputsLater'> {
  settings: Settings;
}

export type PlanReading = { ok: true; value: ReadPlan } | { ok: false; problems: PlanProblem[] };

export async function readPlan(io: Io, file: string, { settings, ...options }: PlanRequest): Promise<PlanReading> {
  const { config, project } = settings;
  const read = await loadPlan(file, { ...options, config, projectDir: project.dir });
  if (!read.ok) return read;
  const { plan, sha256, warnings, notYet } = read;
  return { ok: true, value: { path: resolve(io.cwd, file), sha256, plan, warnings, notYet } };
}

/** Every problem on stderr, one a line; with --json one document. @returns exit code 2 */
export function refusePlan(io: Io, file: string, problems: readonly PlanProblem[]): number {
  for (const problem of problems) io.err(safe(formatProblem(problem)));
  io.err(`sluice: ${file} is refused: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}; nothing was started`);
  if (io.json) io.out(JSON.stringify({ ok: false, file, problems }, null, 2));
  return EXIT.usage;
}

export function sayWarnings(io: Io, warnings: readonly string[]): void {
  if (!io.quiet) for (const warning of warnings) io.err(`sluice: warning: ${safe(warning)}`);
}

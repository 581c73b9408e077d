// From a plan file to a plan that can be started, or to every reason why not, each with its place (plan.md).
// Reads files; starts nothing.

import { basename, extname } from 'node:path';
import type { Config } from '../model/config.js';
import { checkPlan } from '../model/plan/check.js';
import { compilePlan } from '../model/plan/compile.js';
import type { CompiledPlan } from '../model/plan/compiled.js';
import type { PlanContext } from '../model/plan/context.js';
import { isId } from '../model/ids.js';
import { notYet } from '../model/plan/not-yet.js';
import { readDocument } from './document.js';
import type { FileProblem, SourceDocument } from './document.js';
import { readProjectFiles } from './project-files.js';
import { readTextFile } from './text-file.js';

export { formatProblem } from './document.js';
export type PlanProblem = FileProblem;

export interface LoadOptions {
  /** `--input name=value` */
  inputs: Readonly<Record<string, string>>;
  /** `--agent` */
  agentFlag?: string;
  config: Config;
  projectDir: string;
  /** default: the config's */
  knownExecutors?: readonly string[];
  /** true for `sluice check`: required inputs may be missing */
  inputsLater?: boolean;
}

export type LoadedPlan =
  | {
      ok: true;
      plan: CompiledPlan;
      /** of the file's bytes */
      sha256: string;
      warnings: string[];
      /** what this release does not run; a plan that has any is checked and not started */
      notYet: PlanProblem[];
    }
  | { ok: false; problems: PlanProblem[] };

const DATA = ['.yaml', '.yml', '.json'];
const CODE = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];

/**
 * Reads, checks and compiles a plan file.
 * @param file as the person gave it; problems name it so
 * @returns every problem at once, in the order of the file; nothing may be started while one stands
 */
export async function loadPlan(file: string, options: LoadOptions): Promise<LoadedPlan> {
  const extension = extname(file).toLowerCase();
  if (CODE.includes(extension)) return wholeFile(file, 'not yet: TypeScript plans');
  if (!DATA.includes(extension)) return wholeFile(file, 'a plan is a .yaml, .yml or .json file');
  const read = await readTextFile(file);
  if (!read.ok) return wholeFile(file, read.reason);
  const document = readDocument(file, read.text);
  if (document.unreadable) return { ok: false, problems: document.problems };
  return loadDocument(file, document, read.sha256, options);
}

async function loadDocument(file: string, document: SourceDocument, sha256: string, options: LoadOptions): Promise<LoadedPlan> {
  const files = await readProjectFiles(options.projectDir, document.value);
  const context = contextOf(file, document, files.promptFiles, options);
  const checked = checkPlan(document.value, context);
  const wrong = [...(checked.ok ? [] : checked.problems), ...files.problems].map((problem) => document.place(problem));
  const problems = inOrder([...document.problems, ...wrong]);
  if (!checked.ok || problems.length > 0) return { ok: false, problems };
  const { plan, warnings } = compilePlan(checked.plan, context);
  const later = notYet(checked.plan, plan, context).map((problem) => document.place(problem));
  return { ok: true, plan, sha256, warnings, notYet: inOrder(later) };
}

function contextOf(file: string, document: SourceDocument, promptFiles: Record<string, string>, options: LoadOptions): PlanContext {
  const { config, inputs, agentFlag, knownExecutors, inputsLater } = options;
  const nodeOrder = document.keysAt(['nodes']);
  return {
    config,
    inputs,
    promptFiles,
    fallbackName: nameOf(file),
    ...(agentFlag === undefined ? {} : { agentFlag }),
    ...(knownExecutors === undefined ? {} : { knownExecutors }),
    ...(inputsLater === undefined ? {} : { inputsLater }),
    ...(nodeOrder === undefined ? {} : { nodeOrder }),
  };
}

/** A plan without a `name` is called as its file is, as far as a run's id can be. */
function nameOf(file: string): string {
  const name = basename(file, extname(file))
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .replaceAll('..', '.')
    .slice(0, 64);
  return isId(name) ? name : 'plan';
}

function wholeFile(file: string, message: string): LoadedPlan {
  return { ok: false, problems: [{ file, line: 0, column: 0, path: '', message }] };
}

/** As they are met in the file; the same thing told by two checks is told once. */
function inOrder(problems: PlanProblem[]): PlanProblem[] {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
  return [...new Map(sorted.map((problem) => [`${problem.line}:${problem.column} ${problem.path} ${problem.message}`, problem])).values()];
}

// The configuration of one call: the user's file, then the project's, then SLUICE_* variables, the later winning
// (people.md, Configuration). Each value keeps where it came from. Flags are the CLI's and come on top.

import { join } from 'node:path';
import type { z } from 'zod';
import { Config } from '../model/config.js';
import { done, refused, type Tried } from '../model/errors.js';
import { configDir } from '../model/paths.js';
import { formatPath } from '../model/plan/problem.js';
import { schemaProblems } from '../model/plan/schema-problems.js';
import { readSettings } from '../model/settings.js';
import type { RunSettings } from '../model/settings.js';
import { envLayer } from './config-env.js';
import { formatProblem, readDocument } from './document.js';
import { CONFIG_FILE } from './project.js';
import { readTextFile } from './text-file.js';

export interface LoadedConfig {
  config: Config;
  /** `config.settings` with unusable values replaced by their defaults */
  settings: RunSettings;
  /** settings that could not be used, each naming itself and where it stands */
  warnings: string[];
  /** path of each value, e.g. `defaults.agent`, to the file or variable it is from */
  origins: Record<string, string>;
}

type Values = Record<string, unknown>;
type Layer = { from: string | ((path: string) => string); values: Values };

/**
 * Reads and merges. Maps are merged key by key, lists and scalars are replaced whole.
 * @returns refusal `config` with one line for each problem, as file:line:column: path: message
 */
export async function loadConfig(
  projectDir: string,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): Promise<Tried<LoadedConfig>> {
  const files = [join(configDir({ env, home }), 'config.yaml'), join(projectDir, CONFIG_FILE)];
  const read = await Promise.all(files.map(readLayer));
  const problems = read.flatMap((one) => (one.ok ? [] : one.problems));
  if (problems.length > 0) return refused('config', problems.join('\n'));
  const fromEnv = envLayer(env);
  const layers = [...read.flatMap((one) => (one.ok && one.layer !== undefined ? [one.layer] : [])), fromEnv];
  return done(merged(layers));
}

type Read = { ok: true; layer?: Layer } | { ok: false; problems: string[] };

async function readLayer(file: string): Promise<Read> {
  const read = await readTextFile(file);
  if (!read.ok)
    return read.code === 'ENOENT' || read.code === 'ENOTDIR' ? { ok: true } : { ok: false, problems: [`${file}: ${read.reason}`] };
  // a file of comments alone, as `sluice init` may leave it, sets nothing
  if (/^(?:\s*(?:#.*)?(?:\r?\n|$))*$/.test(read.text)) return { ok: true };
  const document = readDocument(file, read.text);
  const parsed = Config.safeParse(document.value);
  const problems = [
    ...document.problems,
    ...(document.unreadable ? [] : issuesOf(parsed, document.value).map((problem) => document.place(problem))),
  ];
  return problems.length > 0
    ? { ok: false, problems: problems.map(formatProblem) }
    : { ok: true, layer: { from: file, values: document.value as Values } };
}

function issuesOf(parsed: z.ZodSafeParseResult<Config>, raw: unknown) {
  return parsed.success ? [] : schemaProblems(parsed.error.issues, raw);
}

function merged(layers: Layer[]): LoadedConfig {
  const origins: Record<string, string> = {};
  let values: Values = {};
  for (const { from, values: layer } of layers) {
    values = mergeInto(values, layer);
    for (const path of leaves(layer)) origins[path] = typeof from === 'string' ? from : from(path);
  }
  const config = Config.parse(values);
  const { settings, warnings } = readSettings(config.settings ?? {});
  return { config, settings, origins, warnings: warnings.map((warning) => sourced(warning, origins)) };
}

/** `settings.quietMs: … cannot be used` becomes `settings.quietMs (SLUICE_QUIET_MS): …`. */
function sourced(warning: string, origins: Record<string, string>): string {
  const path = warning.slice(0, warning.indexOf(':'));
  const origin = origins[path];
  return origin === undefined ? warning : `${path} (${origin})${warning.slice(path.length)}`;
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mergeInto(below: Values, above: Values): Values {
  const result: Values = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const old = Object.hasOwn(result, key) ? result[key] : undefined;
    result[key] = isMap(old) && isMap(value) ? mergeInto(old, value) : value;
  }
  return result;
}

function leaves(values: Values, path: string[] = []): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const at = [...path, key];
    return isMap(value) && Object.keys(value).length > 0 ? leaves(value, at) : [formatPath(at)];
  });
}

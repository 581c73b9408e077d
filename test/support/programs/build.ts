// Builds a program of this project from TypeScript into a temporary folder, so that tests can start it as a process of its own.
// It follows the relative imports of one entry; libraries are found through a link to node_modules.

import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

export interface BuiltProgram {
  /** path of the entry's JavaScript */
  path: string;
  /** what it and its imports import from elsewhere */
  externals: Set<string>;
  remove(): Promise<void>;
}

/** @param entry path of a TypeScript file from the project's root */
export async function buildProgram(entry: string): Promise<BuiltProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-program-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const externals = new Set<string>();
  const pending = [resolve(ROOT, entry)];
  const seen = new Set(pending);
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    for (const name of await buildFile(source, folder)) {
      const path = resolve(dirname(source), name.replace(/\.js$/, '.ts'));
      if (!name.startsWith('.')) externals.add(name);
      else if (!seen.has(path)) pending.push(path);
      seen.add(path);
    }
  }
  const path = join(folder, relative(ROOT, resolve(ROOT, entry))).replace(/\.ts$/, '.js');
  return { path, externals, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The guard that `startProcesses` needs as `guardPath` where the project is not built. */
export function buildGuard(): Promise<BuiltProgram> {
  return buildProgram('activities/process/guard.ts');
}

/** @returns what the built file imports: imports of types are gone by then */
async function buildFile(source: string, folder: string): Promise<string[]> {
  const options = { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } } as const;
  const { code } = await transform(await readFile(source, 'utf8'), { ...options, swcrc: false, filename: source });
  const target = join(folder, relative(ROOT, source)).replace(/\.ts$/, '.js');
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, code);
  return Array.from(code.matchAll(IMPORT), ([, name = '']) => name);
}

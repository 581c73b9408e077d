// Temporary folders, and temporal-dev/ as plain JavaScript for child processes. Removed by `clearPlaces`.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';
import { cacheDir } from '../../model/paths.js';

const ROOT = process.cwd();
const SOURCES = join(ROOT, 'temporal-dev');
const made: string[] = [];

export function freshFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-dev-'));
  made.push(dir);
  return dir;
}

export function clearPlaces(): void {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
}

/** The cache that people and tests share: the CLI is fetched once for all of them. */
export function userCache(): string {
  return cacheDir({ env: process.env, home: homedir() });
}

/** @returns a folder with `temporal-dev/*.js`, which a child process can import */
export function compiledTemporalDev(): string {
  const dir = freshFolder();
  mkdirSync(join(dir, 'temporal-dev'));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  const options = { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } } as const;
  for (const name of readdirSync(SOURCES).filter((file) => file.endsWith('.ts'))) {
    writeFileSync(join(dir, 'temporal-dev', name.replace(/\.ts$/, '.js')), transformFileSync(join(SOURCES, name), options).code);
  }
  return dir;
}

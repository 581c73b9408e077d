// Builds dist/ for tests that run the built program, when it is missing or older than a source. Plain Node: it runs before any build.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const BUNDLE = join(ROOT, 'dist/workflow-bundle.js');

const FOLDERS = ['model', 'workflows', 'activities', 'workers', 'client', 'cli', 'temporal-dev'];
const LOCK = join(ROOT, 'node_modules/.sluice-build.lock');

function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Files and folders: a removed source changes its folder. */
function newestSource() {
  const files = ['tsconfig.json', 'tsconfig.build.json', 'package.json'].map((name) => join(ROOT, name));
  for (const folder of FOLDERS) {
    files.push(join(ROOT, folder));
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true })) files.push(join(ROOT, folder, entry));
  }
  return Math.max(...files.map(modified));
}

/** The bundle is the last thing that a build writes. */
const isFresh = () => modified(BUNDLE) > newestSource();

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Two test runs in one checkout must not write dist/ at once. */
async function lock() {
  for (;;) {
    try {
      return writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = Number(readFileSync(LOCK, { encoding: 'utf8', flag: 'a+' }));
    if (owner > 0 && !isAlive(owner)) rmSync(LOCK, { force: true });
    await sleep(200);
  }
}

function run(...args) {
  try {
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    throw new Error(`the build failed (${args.join(' ')}):\n${error.stdout}${error.stderr}`);
  }
}

/** Leaves dist/ and its workflow bundle newer than every source. */
export async function ensureBuilt() {
  if (isFresh()) return;
  await lock();
  try {
    if (isFresh()) return;
    rmSync(BUNDLE, { force: true });
    run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
    run('dist/workers/bundle.js');
  } finally {
    rmSync(LOCK, { force: true });
  }
}

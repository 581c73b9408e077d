// Installs the real agent CLIs for `npm run test:agents` into the user's cache, pinned, unless they are there.
// Must not touch the project: the CLIs are no dependency of it.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';

/** The newest whose streams are recorded in test/fixtures/agents; raise them together with new recordings. Another can be tried. */
export const VERSIONS = {
  claude: ['@anthropic-ai/claude-code', process.env.SLUICE_TEST_CLAUDE || '2.1.332'],
  codex: ['@openai/codex', process.env.SLUICE_TEST_CODEX || '0.171.0'],
};

/** `SLUICE_CACHE_DIR`, else `$XDG_CACHE_HOME/sluice`, else `~/.cache/sluice`; a folder for each set of versions. */
export function agentsFolder(env = process.env) {
  const cache = env.SLUICE_CACHE_DIR || path.join(env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'sluice');
  const set = Object.entries(VERSIONS).map(([name, [, version]]) => `${name}-${version}`);
  return path.join(cache, 'agents', set.join('_'));
}

/** Built aside and moved into place, so that an installation broken off is never taken for a whole one. */
async function install(folder) {
  if (existsSync(folder)) return `agents: ${folder} is there`;
  const aside = `${folder}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  try {
    writeFileSync(path.join(aside, 'package.json'), JSON.stringify({ name: 'sluice-test-agents', private: true }));
    const packages = Object.values(VERSIONS).map(([name, version]) => `${name}@${version}`);
    // 10 min: some 250 MB of native binaries come over the network.
    // Their `engines` speak of the package's own scripts; what runs is a native binary.
    await execa('npm', ['install', '--no-audit', '--no-fund', '--engine-strict=false', ...packages], {
      cwd: aside,
      stdio: 'inherit',
      timeout: 600_000,
    });
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return `agents: installed into ${folder}`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) console.log(await install(agentsFolder()));

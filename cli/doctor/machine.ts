// What this machine has: Node, git, agent CLIs, room on its disks.

import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RUNNABLE_AGENTS, findEntry } from '../../model/agent/entry.js';
import { findOnPath, versionOf } from '../../client/on-path.js';
import type { Io } from '../io.js';
import type { Settings } from '../settings.js';
import { fail, ok, warn, type Finding } from './finding.js';

/** package.json, engines. */
const NODE = { major: 20, minor: 3 };
/** Worktrees, logs and the dev server's database fill a disk faster than people look. */
const LOW_DISK_GB = 2;

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const new_ = major > NODE.major || (major === NODE.major && minor >= NODE.minor);
  return new_ ? ok('node', version) : fail('node', version, `install Node ${NODE.major}.${NODE.minor} or later`);
}

export async function checkGit(io: Io): Promise<Finding> {
  const git = await findOnPath('git', io.env);
  if (git === undefined) return fail('git', 'not found', 'install git: projects and changes need it');
  return ok('git', (await versionOf(git)) ?? git);
}

/** Every agent that a plan may use here: the built-in ones, and those of the config. One is enough. */
export async function checkAgents(io: Io, { config }: Settings): Promise<Finding[]> {
  const names = new Set([...RUNNABLE_AGENTS.filter((name) => name !== 'command'), ...Object.keys(config.agents ?? {})]);
  const findings = await Promise.all([...names].map((name) => checkAgent(io, name, config)));
  if (findings.some(({ verdict }) => verdict === 'ok')) return findings;
  return [...findings, warn('agents', 'none found', 'install claude or codex, or name one of your own in sluice.config.yaml (agents:)')];
}

async function checkAgent(io: Io, name: string, config: Settings['config']): Promise<Finding> {
  const what = `agent ${name}`;
  const found = findEntry(name, config);
  if (!found.ok) return warn(what, found.reason, 'mend `agents` in sluice.config.yaml');
  const bin = found.adapter === 'command' ? (found.entry.argv?.[0] ?? name) : (found.entry.bin ?? found.adapter);
  const path = await findOnPath(bin, io.env);
  if (path === undefined) return warn(what, `${bin} is not on PATH`, `install it, or set agents.${name}.bin`);
  if (found.adapter === 'command') return ok(what, path); // a program of the user's: --version may do anything
  const version = await versionOf(path);
  return version === undefined
    ? warn(what, `${path} does not answer --version`, `run \`${bin} --version\` by hand`)
    : ok(what, `${version} (${path})`);
}

export async function checkDisk(what: string, dir: string): Promise<Finding> {
  const free = await freeGb(dir);
  if (free === undefined) return warn(`disk ${what}`, `${dir} cannot be looked at`, 'check that the folder can be made and written');
  const detail = `${free.toFixed(1)} GB free at ${dir}`;
  return free < LOW_DISK_GB
    ? warn(`disk ${what}`, detail, 'make room: logs, worktrees and the database of the dev server live there')
    : ok(`disk ${what}`, detail);
}

/** Of the nearest folder that is there: the state folder is made by the first worker. */
async function freeGb(dir: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(dir);
    return (bavail * bsize) / 1024 ** 3;
  } catch (error) {
    const missing = (error as { code?: string }).code === 'ENOENT' && dirname(dir) !== dir;
    return missing ? freeGb(dirname(dir)) : undefined;
  }
}

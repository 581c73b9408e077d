// `sluice init`: a commented plan, a config and a .gitignore entry. Never overwrites what is there.

import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EXIT } from '../../model/errors.js';
import { isId } from '../../model/ids.js';
import { RUNNABLE_AGENTS } from '../../model/agent/resolve.js';
import { findOnPath } from '../../client/on-path.js';
import type { Args } from '../command-spec.js';
import { configText, planText } from '../init-texts.js';
import type { Io } from '../io.js';
import { refuse } from '../refuse.js';

/** What became of one file. */
interface Written {
  file: string;
  action: 'written' | 'kept';
}

const IGNORED = '.sluice/';

export async function run(_args: Args, io: Io): Promise<number> {
  const agents = await installed(io);
  const name = planName(basename(io.cwd));
  const files: Written[] = [];
  try {
    files.push(await writeNew(io, 'plan.yaml', planText(name, agents[0])));
    files.push(await writeNew(io, 'sluice.config.yaml', configText(agents)));
    files.push(await ignore(io));
  } catch (error) {
    return refuse(io, { code: 'disk', message: `cannot write in ${io.cwd}: ${(error as { message?: string }).message}` });
  }
  if (io.json) io.out(JSON.stringify({ files, agents }, null, 2));
  else say(io, files, agents);
  return EXIT.ok;
}

async function installed(io: Io): Promise<string[]> {
  const names = RUNNABLE_AGENTS.filter((name) => name !== 'command');
  const found = await Promise.all(names.map((name) => findOnPath(name, io.env)));
  return names.filter((_, index) => found[index] !== undefined);
}

/** A folder's name as a plan's: what an id cannot hold becomes a dash. */
function planName(folder: string): string {
  const name = folder
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 40);
  return isId(name) ? name : 'plan';
}

async function writeNew(io: Io, file: string, text: string): Promise<Written> {
  try {
    await writeFile(join(io.cwd, file), text, { flag: 'wx' });
    return { file, action: 'written' };
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return { file, action: 'kept' };
    throw error;
  }
}

async function ignore(io: Io): Promise<Written> {
  const file = '.gitignore';
  const path = join(io.cwd, file);
  const before = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (before.split(/\r?\n/).some((line) => line.trim().replace(/^\//, '').replace(/\/$/, '') === '.sluice'))
    return { file, action: 'kept' };
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  await writeFile(path, `${before}${gap}${IGNORED}\n`);
  return { file, action: 'written' };
}

function say(io: Io, files: Written[], agents: string[]): void {
  if (io.quiet) return;
  for (const { file, action } of files) io.out(`${action === 'kept' ? 'kept   ' : 'wrote  '} ${file}`);
  io.out(
    agents.length === 0 ? 'agents  none found: install claude or codex, then uncomment the agent nodes' : `agents  ${agents.join(', ')}`,
  );
  io.out('');
  io.out('next: sluice check plan.yaml, then sluice run plan.yaml');
}

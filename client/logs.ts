// The log of a node's dispatch, where its file is on this machine; else which host has it and where.

import { open, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { done, refused, type Tried } from '../model/errors.js';
import { logName } from '../model/ids.js';
import { runPaths } from '../model/paths.js';
import type { NodeView } from '../model/run/views.js';
import type { Door } from './connect.js';
import type { RunSummary } from './list.js';
import { readNodes } from './read.js';

export interface LogFile {
  path: string;
  name: string;
  /** the how-manieth dispatch of the node, and its attempt */
  n: number;
  attempt: number;
}

/** How often a followed log is looked at: quick enough to read along, idle enough to forget. */
const FOLLOW_MS = 200;

const CHUNK_BYTES = 64 * 1024;

/**
 * Finds the log of the node's latest attempt.
 * @returns refusal `not-here` saying "on host X at PATH", `not-found` for a node the run does not have
 */
export async function findLog(door: Door, run: RunSummary, node: string): Promise<Tried<LogFile>> {
  const here = run.project_dir === undefined ? undefined : await latestLog(run.project_dir, run.run_id, node);
  if (here !== undefined) return done(here);
  const nodes = await readNodes(door, run.run_id);
  if (!nodes.ok) return nodes;
  const view = nodes.value.find(({ id }) => id === node);
  if (view === undefined)
    return refused('not-found', `run ${run.run_id} has no node "${node}"; it has ${nodes.value.map(({ id }) => id).join(', ')}`);
  if (view.dispatch === undefined) return refused('not-here', `${node} has no log: it is ${view.status} and was never dispatched`);
  return refused('not-here', `the log of ${node} is on host ${view.host ?? run.home ?? '?'} at ${placeOf(run, view)}`);
}

/** The newest log file of a node below a project, or undefined. */
export async function latestLog(project: string, run: string, node: string): Promise<LogFile | undefined> {
  const { logs } = runPaths(project, run);
  let names: string[];
  try {
    names = await readdir(logs);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
  const files = names.map((name) => parseName(logs, name, node)).filter((file) => file !== undefined);
  return files.sort((a, b) => b.n - a.n || b.attempt - a.attempt)[0];
}

/** Pieces of a log from its start; with `more`, goes on while it answers true, and moves on to a later attempt's file. */
export async function* readLog(
  file: LogFile,
  later: () => Promise<LogFile | undefined>,
  more: () => Promise<boolean>,
): AsyncGenerator<string> {
  for (let current: LogFile | undefined = file; current !== undefined;) {
    yield* tail(current, more);
    const next = await later();
    current = next === undefined || next.name === current.name ? undefined : next;
  }
}

async function* tail(file: LogFile, more: () => Promise<boolean>): AsyncGenerator<string> {
  const handle = await open(file.path, 'r');
  const decoder = new TextDecoder(); // keeps the half of a character at a chunk's border for the next chunk
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (let last = false; ;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead > 0) yield decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
      else if (last) return;
      else if (!(await more()))
        last = true; // one more look: what was written before the end was known
      else await sleep(FOLLOW_MS);
    }
  } finally {
    await handle.close();
  }
}

function parseName(dir: string, name: string, node: string): LogFile | undefined {
  if (!name.startsWith(node)) return undefined;
  const match = /^(?:@[^#]+?)?\.(\d+)\.(\d+)\.log$/.exec(name.slice(node.length));
  return match === null ? undefined : { path: `${dir}/${name}`, name, n: Number(match[1]), attempt: Number(match[2]) };
}

function placeOf(run: RunSummary, view: NodeView): string {
  const name = logName(view.dispatch ?? '', view.attempt ?? 1);
  return run.project_dir === undefined
    ? `.sluice/runs/${run.run_id}/logs/${name} of its project`
    : `${runPaths(run.project_dir, run.run_id).logs}/${name}`;
}

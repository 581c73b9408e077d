// `sluice logs`: the output of a node's last attempt, from the file on this machine; else where it lies.

import { EXIT } from '../../model/errors.js';
import { findLog, latestLog, readLog, type LogFile } from '../../client/logs.js';
import { readNodes, readStatus } from '../../client/read.js';
import type { Io } from '../io.js';
import { refuse } from '../refuse.js';
import { safe } from '../render/plain.js';
import { withThing } from '../with-node.js';
import type { OpenedRun } from '../with-run.js';

type LogsArgs = { run?: string; node?: string; follow?: boolean };

/** Between two looks whether the node still runs: each is a query of the workflow. */
const STILL_RUNS_MS = 1_000;

export function run({ run: given, node, follow }: LogsArgs, io: Io): Promise<number> {
  const thing = {
    ...(given !== undefined && { run: given }),
    ...(node !== undefined && { what: node }),
    name: 'NODE',
    choices: dispatchedNodes,
  };
  return withThing(io, thing, async (opened, what) => {
    const { door, run } = opened;
    const file = await findLog(door, run, what);
    if (!file.ok) return refuse(io, file.refusal);
    const more = follow === true ? stillRuns(opened, what, io.signal) : () => Promise.resolve(false);
    const later = (): Promise<LogFile | undefined> =>
      follow === true && run.project_dir !== undefined ? latestLog(run.project_dir, run.run_id, what) : Promise.resolve(undefined);
    if (io.json) return asDocument(io, run.run_id, what, file.value);
    await print(io, readLog(file.value, later, more));
    return EXIT.ok;
  });
}

/** Whole lines only: the end of one may come with the next piece. Escape sequences are for the terminal that the agent did not have. */
async function print(io: Io, pieces: AsyncIterable<string>): Promise<void> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) io.out(safe(line));
  }
  if (rest !== '') io.out(safe(rest));
}

async function asDocument(io: Io, run: string, node: string, file: LogFile): Promise<number> {
  let text = '';
  for await (const piece of readLog(
    file,
    () => Promise.resolve(undefined),
    () => Promise.resolve(false),
  ))
    text += piece;
  io.out(JSON.stringify({ run_id: run, node, dispatch: file.n, attempt: file.attempt, path: file.path, text }, null, 2));
  return EXIT.ok;
}

function stillRuns({ door, run }: OpenedRun, node: string, signal: AbortSignal): () => Promise<boolean> {
  let asked = 0;
  let answer = true;
  return async () => {
    if (signal.aborted) return false;
    if (Date.now() - asked < STILL_RUNS_MS) return answer;
    asked = Date.now();
    const status = await readStatus(door, run.run_id);
    answer = status.ok && status.value.open.some(({ id, status: word }) => id === node && (word === 'running' || word === 'ready'));
    return answer;
  };
}

async function dispatchedNodes({ door, run }: OpenedRun): Promise<string[]> {
  const nodes = await readNodes(door, run.run_id);
  return nodes.ok ? nodes.value.filter(({ dispatch }) => dispatch !== undefined).map(({ id }) => id) : [];
}

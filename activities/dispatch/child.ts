// Runs one process of a dispatch to its end, within its deadlines. It hands on what is printed, and does not judge the end.

import { codeOf } from '../failures.js';
import type { ChildExit, ChildHandlers, SpawnFailure, SpawnSpec } from '../process/process.js';
import type { Live } from './live.js';

/** The longest wait of a timer, 24.8 days; a plan's timeout may be longer, and no process of it lives to see that. */
const LONGEST_MS = 2_147_483_647;
/** Of the time after a result, what is left to end when asked; then its tree is killed. */
const LAST_MS = 2_000;

export type ChildEnd =
  | { kind: 'exited'; exit: ChildExit }
  | { kind: 'not-started'; failure: SpawnFailure }
  /** asked to end before it was started */
  | { kind: 'unwanted' }
  /** the guard died, and with it the tree: as if the worker had */
  | { kind: 'guard-died' };

/** The clocks that may end a process before it ends itself. */
export interface Clocks {
  /** the turn has given its result: from here it has `resultGraceMs` to end by itself (case O-08) */
  resultSeen(): void;
}

export type ProcessSpec = Pick<SpawnSpec, 'argv' | 'env' | 'stopSignal' | 'stdin'>;

/** @param handlers get the clocks, since only they see the result */
export async function runChild(live: Live, spec: ProcessSpec, handlers: (clocks: Clocks) => ChildHandlers): Promise<ChildEnd> {
  const { input, stopping, progress } = live;
  if (stopping.reason !== undefined) return { kind: 'unwanted' };
  let timer: NodeJS.Timeout | undefined;
  const resultSeen = (): void => {
    clearTimeout(timer);
    const { resultGraceMs } = input.limits;
    const last = Math.min(LAST_MS, resultGraceMs);
    timer = setTimeout(() => stopping.ask('result', last), resultGraceMs - last);
  };
  const identity = { key: `${input.run}/${input.id}`, run: input.run, dispatch: input.id, attempt: progress.attempt, cwd: live.dir };
  try {
    const child = await live.deps.processes.spawn({ ...identity, ...spec }, handlers({ resultSeen }));
    if ('code' in child) return child.code === 'GUARD_DIED' ? { kind: 'guard-died' } : { kind: 'not-started', failure: child };
    live.attach(child);
    timer ??= setTimeout(() => stopping.ask('timeout', input.limits.graceMs), Math.min(input.limits.timeoutMs, LONGEST_MS));
    return { kind: 'exited', exit: await child.exited };
  } catch (error) {
    if (codeOf(error) === 'GUARD_DIED') return { kind: 'guard-died' };
    throw error;
  } finally {
    clearTimeout(timer);
    stopping.ended();
  }
}

/** What the dispatch says of a process that could not be started. */
export function notStartedWords(argv: readonly string[], { code, message, missing }: SpawnFailure): string {
  const what = missing === 'directory' ? 'its folder is not there' : missing === 'program' ? 'no such program on PATH' : message;
  return `${argv[0] ?? ''} could not be started: ${code}, ${what}`;
}

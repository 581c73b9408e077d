// `sluice wait`: watches a run that was started elsewhere until it is over.

import { watchLines } from '../watch/lines.js';
import type { Io } from '../io.js';
import { withRun } from '../with-run.js';

export function run({ run: given, exitOnWait }: { run?: string; exitOnWait?: boolean }, io: Io): Promise<number> {
  return withRun(io, given, ({ door, run }) => watchLines(io, door, run, { exitOnWait: exitOnWait === true }));
}

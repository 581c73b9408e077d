// `sluice retry`: a node goes back to pending and runs again, with a note if there is one.

import { act, refuseInside } from '../act.js';
import type { Io } from '../io.js';
import { withRun } from '../with-run.js';

type RetryArgs = { run: string; node: string; note?: string };

export async function run({ run: given, node, note }: RetryArgs, io: Io): Promise<number> {
  const inside = refuseInside(io, 'retry');
  if (inside !== undefined) return inside;
  return withRun(io, given, (opened) => act(io, opened, { command: 'retry', node, ...(note !== undefined && { note }) }));
}

// `sluice status`: where a run stands, and what is wrong with it that the run itself cannot tell.

import { EXIT } from '../../model/errors.js';
import type { NodeView } from '../../model/run/views.js';
import { readShownNodes, readStatus } from '../../client/read.js';
import { planChange, stuckTask } from '../../client/trouble.js';
import type { Io } from '../io.js';
import { refuse } from '../refuse.js';
import { counted } from '../render/counts.js';
import { statusLines } from '../render/status-view.js';
import { withRun, type OpenedRun } from '../with-run.js';

export function run({ run: given }: { run?: string }, io: Io): Promise<number> {
  return withRun(io, given, async (opened) => {
    const { door, run } = opened;
    const [status, stuck] = await Promise.all([readStatus(door, run.run_id), stuckTask(door, run.run_id)]);
    if (!status.ok) return fromMemo(io, opened, status.refusal.message, stuck);
    const [changed, nodes] = await Promise.all([planChange(status.value), readShownNodes(door, status.value)]);
    const trouble = [stuck, changed].filter((line) => line !== undefined);
    if (io.json) io.out(JSON.stringify({ ...status.value, nodes, ...(trouble.length > 0 && { trouble }) }, null, 2));
    else for (const line of statusLines({ ...status.value, open: nodes.filter(isNews) }, io, Date.now())) io.out(line);
    for (const line of trouble) io.err(`sluice: warning: ${line}`);
    return EXIT.ok;
  });
}

/** What is done or has its turn to come is in the counts. */
function isNews({ status }: NodeView): boolean {
  return status !== 'done' && status !== 'pending';
}

/** No worker answers: what Temporal itself keeps of the run is still something. */
function fromMemo(io: Io, { run }: OpenedRun, why: string, stuck: string | undefined): number {
  if (io.json) {
    io.out(JSON.stringify({ ...run, trouble: [why, stuck].filter((line) => line !== undefined) }, null, 2));
    return EXIT.ok;
  }
  io.out(`${run.run_id}  ${run.state}  ${counted(run.counts)}`.trimEnd());
  for (const { reference, action } of run.waiting) io.out(`  ${reference}: ${action}`);
  if (stuck !== undefined) io.err(`sluice: warning: ${stuck}`);
  return run.open ? refuse(io, { code: 'no-worker', message: `${why} (shown is what Temporal keeps)` }) : EXIT.ok;
}

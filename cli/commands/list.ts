// `sluice list`: runs, the newest first, from Temporal's visibility and their memos.

import { EXIT } from '../../model/errors.js';
import { listRuns, type RunSummary } from '../../client/list.js';
import type { Io } from '../io.js';
import { colourOf, paint } from '../render/colour.js';
import { counted } from '../render/counts.js';
import { table } from '../render/table.js';
import { day, elapsed } from '../render/time.js';
import { withDoor } from '../with-run.js';

type ListArgs = { open?: boolean; limit?: number };

export function run({ open, limit }: ListArgs, io: Io): Promise<number> {
  return withDoor(io, async ({ door }) => {
    const runs = await listRuns(door, { ...(open === true && { open }), ...(limit !== undefined && { limit }) });
    if (io.json) io.out(JSON.stringify({ runs }, null, 2));
    else show(io, runs);
    return EXIT.ok;
  });
}

function show(io: Io, runs: RunSummary[]): void {
  if (runs.length === 0) return io.out('no runs; start one with `sluice run PLAN`');
  const now = Date.now();
  const rows = runs.map((one) => [
    one.run_id,
    one.state,
    day(one.started_at),
    elapsed(one.started_at, one.ended_at, now),
    counted(one.counts),
    waits(one),
  ]);
  const head = ['RUN', 'STATE', 'STARTED', 'TOOK', 'NODES', 'WAITS FOR'];
  const painted = (text: string, _row: number, column: number): string => (column === 1 ? paint(io.colour, colourOf(text), text) : text);
  for (const line of table(rows, { columns: io.columns, head, paint: painted })) io.out(line);
}

function waits({ waiting, waiting_count: count }: RunSummary): string {
  const named = waiting.map(({ reference }) => reference).join(', ');
  return count > waiting.length ? `${named}, and ${count - waiting.length} more` : named;
}

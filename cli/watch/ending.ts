// The last words about a run that was watched, and the exit code: 0 only when it is complete (run.md, Statuses).

import { EXIT, exitCodeOfSignal } from '../../model/errors.js';
import type { NodeView, StatusView } from '../../model/run/views.js';
import type { Door } from '../../client/connect.js';
import { describeRun } from '../../client/list.js';
import { readShownNodes, readStatus } from '../../client/read.js';
import type { Io } from '../io.js';
import { colourOf, paint } from '../render/colour.js';
import { counted } from '../render/counts.js';
import { nodeLines, waitingLines } from '../render/status-view.js';
import { elapsed } from '../render/time.js';

/** Statuses worth a line at the end; what is done speaks for itself. */
const TOLD = new Set(['failed', 'blocked', 'cancelled', 'parked', 'waiting', 'complete-draft']);

/** Says how the run ended. With --json: one document with what waits or went wrong. */
export async function sayEnd(io: Io, door: Door, run: string): Promise<number> {
  const status = await readStatus(door, run);
  const state = status.ok ? status.value.state : ((await describeRun(door, run))?.state ?? 'unknown');
  const told = status.ok ? (await readShownNodes(door, status.value)).filter((node) => TOLD.has(node.status)) : [];
  if (io.json) io.out(JSON.stringify(endDocument(run, state, told, status.ok ? status.value : undefined), null, 2));
  else if (status.ok) sayStatus(io, status.value, told);
  else io.out(`run ${run}: ${state}`);
  return state === 'complete' ? EXIT.ok : EXIT.incomplete;
}

function sayStatus(io: Io, status: StatusView, told: NodeView[]): void {
  const word = paint(io.colour, colourOf(status.state), status.state);
  io.out(`run ${status.run_id}: ${word}, ${counted(status.counts)}, ${elapsed(status.started_at, status.ended_at, Date.now())}`);
  if (status.state === 'complete' || io.quiet) return;
  if (status.held !== undefined) io.out(`  ${status.held}`);
  for (const line of [...nodeLines(told, io, Date.now()), ...waitingLines(status, io)]) io.out(line);
}

function endDocument(run: string, state: string, told: NodeView[], status: StatusView | undefined): object {
  const nodes = told.map(({ id, status: word, outcome, detail, action, blocked_by }) => ({
    id,
    status: word,
    outcome,
    detail,
    action,
    blocked_by,
  }));
  return { run_id: run, state, ok: state === 'complete', ...(status && { counts: status.counts, waiting: status.waiting, open: nodes }) };
}

/** The person left, the run did not: how to look again, and how to end it. */
export function sayDetached(io: Io, run: string): number {
  io.err(`sluice: run ${run} goes on; follow it with \`sluice wait ${run}\`, end it with \`sluice cancel ${run}\``);
  return io.signal.aborted ? exitCodeOfSignal(String(io.signal.reason)) : EXIT.interrupted;
}

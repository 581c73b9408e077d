// The inbox: every decision due over all open runs, from their memos, so that it needs no worker and no database.

import type { WaitingView } from '../model/run/views.js';
import type { Door } from './connect.js';
import { listRuns, type RunSummary } from './list.js';
import { readStatus } from './read.js';

/** One thing that waits for a person, with the command that clears it. */
export interface InboxEntry {
  run_id: string;
  plan: string;
  reference: string;
  action: string;
  choices?: string[];
  since: string;
  command: string;
}

/** What a memo holds at most (operations.md, Temporal Cloud); a run that has as many may have more, and is asked. */
const MEMO_WAITING = 10;

/** Open runs looked at; beyond it the search would cost more than it tells. */
const RUNS = 1_000;

/** Every decision due, the oldest first. A run that does not answer shows what its memo has. */
export async function inbox(door: Door): Promise<InboxEntry[]> {
  const runs = await listRuns(door, { open: true, limit: RUNS });
  const entries = await Promise.all(runs.filter((run) => run.waiting.length > 0).map((run) => entriesOf(door, run)));
  return entries.flat().sort((a, b) => (a.since < b.since ? -1 : 1));
}

async function entriesOf(door: Door, run: RunSummary): Promise<InboxEntry[]> {
  let waiting: RunSummary['waiting'] = run.waiting;
  if (waiting.length >= MEMO_WAITING) {
    const status = await readStatus(door, run.run_id);
    if (status.ok) waiting = status.value.waiting;
  }
  return waiting.map((one) => ({
    run_id: run.run_id,
    plan: run.plan,
    reference: one.reference,
    action: one.action,
    ...(one.choices === undefined ? {} : { choices: one.choices }),
    since: one.since,
    command: clearingCommand(run.run_id, one),
  }));
}

/** The command line that clears a decision, ready to be copied. */
export function clearingCommand(run: string, one: Pick<WaitingView, 'reference' | 'choices'>): string {
  if (one.reference.startsWith('surface:')) return `sluice reply ${run} ${one.reference.slice('surface:'.length)} TEXT`;
  const choices = one.choices ?? [];
  return `sluice attest ${run} ${one.reference}${choices.length > 1 ? ` --choice ${choices.join('|')}` : ''}`;
}

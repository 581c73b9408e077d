// Which run a person means by RUN: a whole id, a unique beginning of one, or nothing when only one run is open.

import { done, refused, type Tried } from '../model/errors.js';
import type { Door } from './connect.js';
import { describeRun, listRuns, type RunSummary } from './list.js';

/** Enough to name in one line; more would bury the advice. */
const NAMED = 8;

/**
 * Finds the run (people.md: "RUN accepts a unique prefix, or nothing when only one run is open").
 * @returns refusal `not-found`, or `usage` naming the choices when more than one fits
 */
export async function resolveRun(door: Door, given: string | undefined): Promise<Tried<RunSummary>> {
  return given === undefined || given === '' ? theOnlyOpenOne(door) : byName(door, given);
}

async function byName(door: Door, given: string): Promise<Tried<RunSummary>> {
  const name = given.replace(/^run\//, '');
  const exact = await describeRun(door, name);
  if (exact !== undefined) return done(exact);
  const fits = (await listRuns(door, { prefix: name })).filter((run) => run.run_id.startsWith(name));
  if (fits.length === 1) return done(fits[0]!);
  if (fits.length > 1) return refused('usage', `"${given}" may be any of ${named(fits)}; give more of the id`);
  return refused('not-found', `no run "${given}"; \`sluice list\` shows which there are`);
}

async function theOnlyOpenOne(door: Door): Promise<Tried<RunSummary>> {
  const open = await listRuns(door, { open: true });
  if (open.length === 1) return done(open[0]!);
  if (open.length === 0) return refused('usage', 'no run is open; name one of `sluice list`');
  return refused('usage', `${open.length} runs are open; name one of ${named(open)}`);
}

function named(runs: RunSummary[]): string {
  const more = runs.length > NAMED ? `, and ${runs.length - NAMED} more` : '';
  return (
    runs
      .slice(0, NAMED)
      .map((run) => run.run_id)
      .join(', ') + more
  );
}

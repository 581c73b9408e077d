// The result document of a run, wherever it can still be had: Temporal's return value, the query, the file at home.

import { readFile } from 'node:fs/promises';
import { runWorkflowId } from '../model/ids.js';
import { done, refused, type Tried } from '../model/errors.js';
import { runPaths } from '../model/paths.js';
import { parseResult, type ResultV3 } from '../model/run/result.js';
import type { Door } from './connect.js';
import { isNoRun } from './failures.js';
import type { RunSummary } from './list.js';
import { readResultQuery, readStatus } from './read.js';

export interface ResultOptions {
  /** also while something runs, written with state `waiting` */
  partial: boolean;
}

/**
 * Reads the result (run.md, The result).
 * @returns refusal `incomplete` ("still running") while something runs, unless `partial`; `not-here` when nobody has it
 */
export async function readResult(door: Door, run: RunSummary, options: ResultOptions): Promise<Tried<ResultV3>> {
  if (run.open) return ofOpenRun(door, run, options);
  const returned = await returnValue(door, run);
  if (returned !== undefined) return judged(returned);
  const asked = await readResultQuery(door, run.run_id);
  if (asked.ok && asked.value !== null) return judged(asked.value);
  return fromFile(run);
}

async function ofOpenRun(door: Door, run: RunSummary, options: ResultOptions): Promise<Tried<ResultV3>> {
  const status = await readStatus(door, run.run_id);
  if (!status.ok) return status;
  if (status.value.state === 'running' && !options.partial) {
    return refused('incomplete', `run ${run.run_id} is still running; --partial shows what there is`);
  }
  const asked = await readResultQuery(door, run.run_id);
  return asked.ok ? judged(asked.value) : asked;
}

/** Only a completed execution has one; a cancelled or terminated one leaves its result to the query and the file. */
async function returnValue(door: Door, run: RunSummary): Promise<unknown> {
  if (run.state === 'cancelled' || run.state === 'terminated' || run.state === 'timed-out') return undefined;
  try {
    return await door.client.workflow.result(runWorkflowId(run.run_id));
  } catch (error) {
    if (isNoRun(error) || (error as { name?: string }).name === 'WorkflowFailedError') return undefined;
    throw error;
  }
}

async function fromFile(run: RunSummary): Promise<Tried<ResultV3>> {
  if (run.project_dir === undefined)
    return refused('not-here', `the result of run ${run.run_id} is no longer kept, and the run had no home`);
  const file = runPaths(run.project_dir, run.run_id).result;
  try {
    return judged(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    return refused('not-here', `no result of run ${run.run_id} can be read here; its home ${run.home ?? '?'} keeps ${file}`, String(error));
  }
}

function judged(document: unknown): Tried<ResultV3> {
  const parsed = parseResult(document);
  return parsed.ok ? done(parsed.result) : refused('not-here', parsed.reason);
}

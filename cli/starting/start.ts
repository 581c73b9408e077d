// From a plan that was read to a run that exists: id, home, record on disk, the workflow. Refuses before anything is started.

import { RUN_WORKFLOW, type RunInput } from '../../model/run/input.js';
import { done, refused, type Tried } from '../../model/errors.js';
import { isId, queues, runId } from '../../model/ids.js';
import { RULES } from '../../model/rules.js';
import type { RunSettings } from '../../model/settings.js';
import type { Door } from '../../client/connect.js';
import { findHome, pollersOf, QUEUE_TYPE } from '../../client/home.js';
import { whoAmI } from '../../client/identity.js';
import { describeRun, type RunSummary } from '../../client/list.js';
import { runExists, startRun, taken } from '../../client/runs.js';
import { knowsSearchAttributes } from '../../client/search-attributes.js';
import type { Settings } from '../settings.js';
import type { AttestAhead } from './attest-ahead.js';
import type { ReadPlan } from './read-plan.js';
import { writePlanRecord } from './plan-record.js';

export interface StartRequest {
  settings: Settings;
  plan: ReadPlan;
  attestAhead: AttestAhead;
  /** `--id` */
  id?: string;
  /** `--home` */
  home?: string;
  /** a worker was started for this run a moment ago */
  justStarted: boolean;
  /** what the person should know and nothing stops at */
  note: (text: string) => void;
}

export interface StartedRun {
  run: RunSummary;
  by: string;
}

/** 32^4 names: enough letters that two runs of a plan do not meet by chance, few enough to type. */
const ID_LETTERS = 4;

/** Against another machine each heartbeat is billed and travels (agents.md: 20 s and 60 s). */
const REMOTE_HEARTBEAT = { heartbeatMs: 20_000, heartbeatTimeoutMs: 60_000 };

/** Starts the run. @returns refusals of usage, size and disk, each before anything was started */
export async function start(door: Door, request: StartRequest): Promise<Tried<StartedRun>> {
  const { settings, plan, note } = request;
  const id = await chooseId(door, plan.plan.name, request.id);
  if (!id.ok) return id;
  const { fleet, where } = settings;
  const { justStarted, home: given } = request;
  const home = await findHome(door, { where, fleet, justStarted, ...(given !== undefined && { given }) });
  if (!home.ok) return home;
  if (home.value.note !== undefined) note(home.value.note);
  await noteUnserved(door, fleet, note);
  const by = await whoAmI(settings.config, settings.project.dir);
  const input = await inputOf(door, request, { run: id.value, by, ...(home.value.host !== undefined && { home: home.value.host }) });
  return record(door, input, by);
}

async function chooseId(door: Door, name: string, given: string | undefined): Promise<Tried<string>> {
  if (given === undefined) return done(runId(name, Array.from({ length: ID_LETTERS }, Math.random)));
  if (!isId(given))
    return refused('usage', `--id "${given}": letters, digits, dots, dashes and underscores, at most 64, beginning with a letter or digit`);
  return (await runExists(door, given)) ? taken(given) : done(given);
}

async function inputOf(door: Door, request: StartRequest, who: { run: string; home?: string; by: string }): Promise<RunInput> {
  const { settings, plan, attestAhead } = request;
  return {
    run: who.run,
    plan: plan.plan,
    project: settings.project,
    ...(who.home !== undefined && { home: who.home }),
    fleet: settings.fleet,
    settings: door.local ? settings.run : remote(settings),
    startedBy: { author: 'operator', by: who.by },
    planFile: { path: plan.path, sha256: plan.sha256 },
    searchAttributes: await knowsSearchAttributes(door),
    rules: RULES,
    attestAhead,
  };
}

/** What was configured stands; only the defaults are others. */
function remote({ run, origins }: Settings): RunSettings {
  const left = Object.entries(REMOTE_HEARTBEAT).filter(([name]) => origins[`settings.${name}`] === undefined);
  return { ...run, ...Object.fromEntries(left) };
}

/** The plan is written first: a project that cannot be written would end the run at its first event. */
async function record(door: Door, input: RunInput, by: string): Promise<Tried<StartedRun>> {
  const written = await writePlanRecord(input.project.dir, input.run, input.plan);
  if (!written.ok) return written;
  const started = await startRun(door, input).catch(async (error: unknown) => {
    await written.value.undo();
    throw error;
  });
  if (!started.ok) {
    await written.value.undo();
    return started;
  }
  const run = await describeRun(door, input.run);
  if (run === undefined) throw new Error(`${RUN_WORKFLOW} ${input.run} was started, and Temporal does not know it`);
  return done({ run, by });
}

async function noteUnserved(door: Door, fleet: string, note: StartRequest['note']): Promise<void> {
  const workers = await pollersOf(door, queues.main(fleet), QUEUE_TYPE.workflow);
  if (workers === 0) note(`no worker of fleet ${fleet} polls now: the run starts when one does (\`sluice worker\`)`);
}

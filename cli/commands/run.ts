// `sluice run`: starts a run and shows it, live on a terminal, one line per event elsewhere.
// One of the four commands that may reach workers and temporal-dev: it can start the embedded pair.

import { EXIT, exitCodeOfSignal } from '../../model/errors.js';
import { cacheDir } from '../../model/paths.js';
import type { Door } from '../../client/connect.js';
import type { Io } from '../io.js';
import { refuse } from '../refuse.js';
import { readSettings, type Settings } from '../settings.js';
import { readAttestAhead, type AttestAhead } from '../starting/attest-ahead.js';
import { dryRunLines, waves } from '../starting/dry-run.js';
import { readInputs, type RunArgs } from '../starting/options.js';
import { reach, type StartPair } from '../starting/reach.js';
import { readPlan, refusePlan, sayWarnings, type ReadPlan } from '../starting/read-plan.js';
import { start, type StartedRun, type StartRequest } from '../starting/start.js';
import { watchLines } from '../watch/lines.js';

/** @returns 0 when the run is complete (or started, with --detach), else by the table of people.md, CLI */
export async function run(args: RunArgs, io: Io): Promise<number> {
  const inputs = readInputs(args.input);
  if (!inputs.ok) return refuse(io, inputs.refusal);
  const settings = await readSettings(io, args.plan);
  if (!settings.ok) return refuse(io, settings.refusal);
  const agentFlag = args.agent;
  const read = await readPlan(io, args.plan, {
    settings: settings.value,
    inputs: inputs.value,
    ...(agentFlag !== undefined && { agentFlag }),
  });
  if (!read.ok) return refusePlan(io, args.plan, read.problems);
  if (read.value.notYet.length > 0) return refusePlan(io, args.plan, read.value.notYet);
  const ahead = readAttestAhead(args.attest ?? [], read.value.plan);
  if (!ahead.ok) return refuse(io, ahead.refusal);
  sayWarnings(io, read.value.warnings);
  return args.dryRun === true
    ? dryRun(io, read.value)
    : startAndWatch(args, io, { settings: settings.value, plan: read.value, attestAhead: ahead.value });
}

function dryRun(io: Io, { plan }: ReadPlan): number {
  if (io.json) io.out(JSON.stringify({ name: plan.name, concurrency: plan.concurrency, waves: waves(plan) }, null, 2));
  else for (const line of dryRunLines(plan)) io.out(line);
  return EXIT.ok;
}

interface Ready {
  settings: Settings;
  plan: ReadPlan;
  attestAhead: AttestAhead;
}

async function startAndWatch(args: RunArgs, io: Io, ready: Ready): Promise<number> {
  const reached = await reach(ready.settings, startPair(io));
  if (!reached.ok) return refuse(io, reached.refusal);
  const { door, started: justStarted } = reached.value;
  try {
    if (io.signal.aborted) return interrupted(io);
    const note = (text: string): void => (io.quiet ? undefined : io.err(`sluice: ${text}`));
    const request: StartRequest = { ...ready, justStarted, note };
    if (args.id !== undefined) request.id = args.id;
    if (args.home !== undefined) request.home = args.home;
    const started = await start(door, request);
    if (!started.ok) return refuse(io, started.refusal);
    return args.detach === true ? detached(io, started.value) : await watch(args, io, door, started.value);
  } finally {
    await door.close();
  }
}

function interrupted(io: Io): number {
  io.err('sluice: interrupted; nothing was started');
  return exitCodeOfSignal(String(io.signal.reason));
}

/** Loaded only when no Temporal is configured: the SDK's native core is not for a command that only watches. */
function startPair(io: Io): StartPair {
  return async ({ stateDir, where }) => {
    const { ensureEmbedded } = await import('../../workers/pair.js');
    const { progressLines } = await import('../../temporal-dev/progress.js');
    const say = (line: string): void => (io.quiet ? undefined : io.err(`sluice: ${line}`));
    return ensureEmbedded({ stateDir, cacheDir: cacheDir(where), env: io.env, say, onProgress: progressLines(say) });
  };
}

function detached(io: Io, { run }: StartedRun): number {
  const { run_id: id } = run;
  if (io.json) io.out(JSON.stringify({ run_id: id, plan: run.plan, ...(run.home !== undefined && { home: run.home }) }, null, 2));
  else io.out(io.quiet ? id : `run ${id} started; follow it with \`sluice wait ${id}\`, look with \`sluice status ${id}\``);
  return EXIT.ok;
}

async function watch(args: RunArgs, io: Io, door: Door, { run, by }: StartedRun): Promise<number> {
  const exitOnWait = args.exitOnWait === true;
  if (!io.tty || io.json || io.quiet) {
    if (!io.json && !io.quiet) io.out(`run ${run.run_id} started`);
    return watchLines(io, door, run, { exitOnWait });
  }
  // ink and react are for terminals only
  const { watchLive } = await import('../watch/live.js');
  return watchLive(io, door, run, { exitOnWait, by });
}

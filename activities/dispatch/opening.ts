// Opens an attempt: where it runs, with what, and from where it goes on. Nothing is started here.

import type { Context } from '@temporalio/activity';
import { openAttempt, type Opening, type Progress } from '../../model/agent/attempts.js';
import { findAdapter, type FoundAdapter } from '../agents/index.js';
import type { DispatchInput, DispatchResult } from '../contract.js';
import type { ActivityDeps } from '../deps.js';
import { now } from './live.js';
import { findPlace } from './place.js';
import { readProgress } from './progress.js';

export type Opened =
  | {
      kind: 'go';
      project: string;
      dir: string;
      secrets: readonly string[];
      /** agents only */
      found?: FoundAdapter;
      opening: Extract<Opening, { kind: 'start' }>;
    }
  /** it is over before anything ran */
  | { kind: 'result'; result: DispatchResult };

export async function openDispatch(deps: ActivityDeps, context: Context, input: DispatchInput): Promise<Opened> {
  const place = await findPlace(await deps.projectDir(input.project), input.project, deps.host, input.work.dir);
  if (!place.ok) return over(deps, context, { reached: 'not-started', outcome: 'project-missing', detail: place.reason });
  const config = await deps.config(place.project);
  const found = input.work.kind === 'agent' ? findAdapter(input.work.adapter, config) : undefined;
  if (found && !found.ok) return over(deps, context, { reached: 'not-started', outcome: 'infrastructure-failure', detail: found.reason });
  const opening = await openingOf(deps, context, input, found?.adapter.abilities.continue ?? false);
  switch (opening.kind) {
    case 'start':
      return { kind: 'go', project: place.project, dir: place.dir, secrets: config.secrets ?? [], opening, ...(found && { found }) };
    case 'elsewhere':
      return over(deps, context, { reached: 'elsewhere', session: opening.session }, opening.progress);
    case 'settled': {
      const { outcome, detail, progress } = opening;
      return over(deps, context, { reached: progress.spoke ? 'spoke' : 'not-started', outcome, detail }, progress);
    }
    default:
      return opening satisfies never;
  }
}

async function openingOf(deps: ActivityDeps, { info }: Context, input: DispatchInput, canContinue: boolean): Promise<Opening> {
  const details = readProgress(info.heartbeatDetails);
  // a first attempt has no earlier one to read of, unless the dispatch was moved to this host
  const record = info.attempt > 1 || input.continued ? await deps.processes.record(input.run, input.id) : undefined;
  return openAttempt({
    kind: input.work.kind,
    attempt: info.attempt,
    host: deps.host,
    now: now(),
    continued: input.continued ?? false,
    canContinue,
    maxDeaths: input.limits.maxDeaths,
    ...(details && { details }),
    ...(record && { record }),
    ...(input.session && { session: input.session }),
  });
}

type Over = Pick<DispatchResult, 'reached' | 'outcome' | 'detail' | 'session'>;

function over(deps: ActivityDeps, { info }: Context, told: Over, progress = readProgress(info.heartbeatDetails)): Opened {
  const base = { ok: false, attempts: progress?.attempts ?? [], output: '', host: deps.host, endedBy: 'not-started' as const };
  return { kind: 'result', result: { ...base, ...kept(progress), ...told } };
}

function kept(progress: Progress | undefined): Partial<DispatchResult> {
  return {
    ...(progress?.session !== undefined && { session: { id: progress.session, host: progress.host } }),
    ...(progress?.usage && { usage: progress.usage }),
    ...(progress?.sessionUsage && { sessionUsage: progress.sessionUsage }),
  };
}

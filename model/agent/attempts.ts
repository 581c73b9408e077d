// Which endings count and what is asked again, decided from small counters that survive failed attempts (run.md, Dispatches).
// Pure: Temporal retries and carries the counters in heartbeat details; the activity spawns and reports.

import type { AttemptRecord, DispatchLimits, Reached } from '../run/dispatch.js';
import type { SessionRef } from '../run/session.js';
import type { Outcome } from '../run/words.js';
import type { Ending } from './endings.js';
import type { Usage } from './events.js';

/** The counters of one dispatch; plain JSON, kept in the heartbeat details. */
export interface Progress {
  attempt: number;
  /** `running`: an attempt that finds this knows that the worker before it died */
  phase: 'running' | 'silence' | 'failure' | 'handover';
  silences: number;
  failures: number;
  deaths: number;
  handovers: number;
  /** where the last attempt ran, and so where `session` is */
  host: string;
  session?: string;
  spoke: boolean;
  attempts: AttemptRecord[];
  /** tokens of the attempts before this one */
  usage?: Usage;
  /** the thread's running total after them, where the CLI counts by thread */
  sessionUsage?: Usage;
}

/** What the attempt finds when it opens. */
export interface Found {
  kind: 'agent' | 'run';
  /** Temporal's count, from 1 */
  attempt: number;
  host: string;
  now: string;
  details?: Progress;
  /** the guard's record on this host: fresher than throttled heartbeats when the worker died */
  record?: { attempt: number; session?: string; spoke: boolean };
  /** the session that the workflow asks to continue */
  session?: SessionRef;
  continued: boolean;
  canContinue: boolean;
  maxDeaths: number;
}

export type Opening =
  /** `own`: the session is this dispatch's, and the prompt has already reached it */
  | { kind: 'start'; progress: Progress; session?: string; own: boolean }
  | { kind: 'elsewhere'; progress: Progress; session: SessionRef }
  | { kind: 'settled'; progress: Progress; outcome: Outcome; detail: string };

/** How an attempt begins: afresh, by continuing a session, on another host, or not any more. */
export function openAttempt(found: Found): Opening {
  const died = found.details ? found.details.phase === 'running' : found.attempt > 1;
  const progress = carry(found, died);
  if (progress.deaths > found.maxDeaths) return interrupted(progress, `its worker died ${progress.deaths} times`);
  if (found.kind === 'run' || !progress.spoke) return openFresh(found, begin(unspoken(progress), found));
  if (progress.session === undefined)
    return interrupted(progress, 'its worker died after it had spoken, and it has no session to continue');
  if (!found.canContinue) return interrupted(progress, 'its worker died after it had spoken, and its adapter cannot continue a session');
  if (progress.host !== found.host) return openAway(found, progress, { id: progress.session, host: progress.host });
  return { kind: 'start', progress: begin(progress, found), session: progress.session, own: true };
}

/** A conversation in which nothing was said is not worth continuing, and may lie on another host. */
function unspoken(progress: Progress): Progress {
  const { session: _session, ...rest } = progress;
  return rest;
}

function openFresh(found: Found, progress: Progress): Opening {
  const { session } = found;
  if (found.kind === 'run' || !session) return { kind: 'start', progress, own: false };
  if (!found.canContinue) {
    const detail = `it is to continue session ${session.id}, and its adapter cannot continue a session`;
    return { kind: 'settled', progress, outcome: 'infrastructure-failure', detail };
  }
  if (session.host !== found.host) return openAway(found, progress, session);
  return { kind: 'start', progress, session: session.id, own: false };
}

/** A session on another host: the workflow is asked once to move the dispatch there. */
function openAway(found: Found, progress: Progress, session: SessionRef): Opening {
  if (!found.continued) return { kind: 'elsewhere', progress, session };
  return interrupted(progress, `its session is on host ${session.host}, and it was placed on ${found.host}`);
}

function interrupted(progress: Progress, detail: string): Opening {
  return { kind: 'settled', progress, outcome: 'interrupted', detail };
}

/** The counters as the attempts before left them, with what the local record knows better. */
function carry(found: Found, died: boolean): Progress {
  const { details, record } = found;
  const before = details ?? { silences: 0, failures: 0, deaths: 0, handovers: 0, host: found.host, spoke: false, attempts: [] };
  // a record of this host tells of the attempt before, unless the heartbeats are of another host's
  const fresh = record && before.host === found.host && (died || speaksOf(record, found)) ? record : undefined;
  const session = fresh?.session ?? details?.session;
  return {
    ...before,
    attempt: Math.max(found.attempt, (details?.attempt ?? 0) + 1, (record?.attempt ?? 0) + 1),
    phase: 'running',
    deaths: before.deaths + (died ? 1 : 0),
    spoke: before.spoke || fresh?.spoke === true,
    ...(session === undefined ? {} : { session }),
    attempts: died ? reasoned(before.attempts, 'its worker died') : before.attempts,
  };
}

/** A dispatch that was moved here to continue its session finds its own earlier attempt in the record. */
function speaksOf(record: { session?: string }, found: Found): boolean {
  return found.continued && record.session !== undefined && record.session === found.session?.id;
}

function begin(progress: Progress, found: Found): Progress {
  const attempts = [...progress.attempts, { attempt: progress.attempt, startedAt: found.now }];
  return { ...progress, host: found.host, attempts };
}

export type Verdict =
  | { again: true; progress: Progress; delayMs: number; reason: string }
  | { again: false; reached: Reached; ok: boolean; outcome?: Outcome; detail?: string };

/**
 * Settles an ending, or asks again.
 * @param continuing the attempt continued this dispatch's own session: silence is then no reason to start the work anew
 */
export function settleEnding(kind: Found['kind'], ending: Ending, progress: Progress, limits: DispatchLimits, continuing = false): Verdict {
  const reached = reachOf(kind, ending, progress);
  switch (ending.kind) {
    case 'done':
      return { again: false, reached: 'spoke', ok: true, ...(ending.notes.length === 0 ? {} : { detail: ending.notes.join('; ') }) };
    case 'failed':
      if (kind === 'run') return failure(ending.detail, ending.outcome, reached, progress, limits);
      return { again: false, reached, ok: false, outcome: ending.outcome, detail: ending.detail };
    case 'not-started':
      if (kind === 'run') return failure(ending.reason, 'infrastructure-failure', reached, progress, limits);
      return silence(ending.reason, 'infrastructure-failure', reached, progress, limits);
    case 'silence':
      return silence(ending.reason, continuing ? 'interrupted' : 'no-agent-progress', reached, progress, limits);
    default:
      return unknownEnding(ending);
  }
}

function reachOf(kind: Found['kind'], ending: Ending, progress: Progress): Reached {
  if (progress.spoke) return 'spoke';
  if (ending.kind === 'not-started') return 'not-started';
  // a program has no speech: that it ran is all there is to reach
  return kind === 'run' ? 'spoke' : 'silence';
}

function unknownEnding(ending: never): never {
  throw new Error(`ending ${JSON.stringify(ending)} is none of endings.ts`);
}

function silence(reason: string, outcome: Outcome, reached: Reached, progress: Progress, limits: DispatchLimits): Verdict {
  const silences = progress.silences + 1;
  if (silences < limits.attempts) return again({ ...progress, silences, phase: 'silence' }, silences, reason, limits);
  return { again: false, reached, ok: false, outcome, detail: reason };
}

function failure(reason: string, outcome: Outcome, reached: Reached, progress: Progress, limits: DispatchLimits): Verdict {
  const failures = progress.failures + 1;
  if (failures < limits.attempts) return again({ ...progress, failures, phase: 'failure' }, failures, reason, limits);
  return { again: false, reached, ok: false, outcome, detail: reason };
}

function again(progress: Progress, count: number, reason: string, limits: DispatchLimits): Verdict {
  return {
    again: true,
    progress: { ...progress, attempts: reasoned(progress.attempts, reason) },
    delayMs: backoffMs(count, limits),
    reason,
  };
}

/** A shutting down worker hands the turn over: no attempt is spent (run.md, Dispatches). */
export function handOver(progress: Progress, reason: string): Progress {
  return { ...progress, phase: 'handover', handovers: progress.handovers + 1, attempts: reasoned(progress.attempts, reason) };
}

/** Wait before the try after the `count`-th that came to nothing: doubles, up to the maximum. */
export function backoffMs(count: number, limits: Pick<DispatchLimits, 'backoffMs' | 'backoffMaxMs'>): number {
  // beyond 30 doublings every first wait is over every maximum, and the power would leave the safe numbers
  return Math.min(limits.backoffMs * 2 ** Math.min(count - 1, 30), limits.backoffMaxMs);
}

function reasoned(attempts: readonly AttemptRecord[], reason: string): AttemptRecord[] {
  const last = attempts.at(-1);
  if (!last || last.reason !== undefined) return [...attempts];
  return [...attempts.slice(0, -1), { ...last, reason }];
}

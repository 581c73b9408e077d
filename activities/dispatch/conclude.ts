// Turns the end of an attempt into what the workflow is told: a result, or a failure that Temporal retries.
// It decides no more than the words; which endings count is model/agent/attempts.ts's.

import { CancelledFailure, type TemporalFailure } from '@temporalio/common';
import { handOver, settleEnding, type Progress } from '../../model/agent/attempts.js';
import { addUsage, countUsage } from '../../model/agent/usage.js';
import { cutText } from '../../model/text.js';
import type { DispatchInput, DispatchResult, EndedBy, Reached } from '../contract.js';
import { askAgain, forgotten, handedOver } from '../failures.js';
import type { Masker } from '../process/mask.js';
import type { Cancelled } from './cancellation.js';
import type { Ended } from './ended.js';
import type { Stopping } from './stopping.js';

/** A payload's text in an event (run.md, Events). */
const MAX_DETAIL_BYTES = 4_096;
/** Of what it answered when asked to stop: a sentence or two for a surface. */
const MAX_SAID_BYTES = 1_024;
/** A new guard is there at once; a moment, so that a guard that dies at once is no tight loop. */
const GUARD_DELAY_MS = 1_000;

export interface AttemptEnd {
  input: DispatchInput;
  progress: Progress;
  ended: Ended;
  stopping: Pick<Stopping, 'reason' | 'outcome'>;
  /** by Temporal; absent when it ended by itself, by the clock or by `killDispatch` */
  cancelled?: Cancelled;
  /** the attempt continued this dispatch's own session */
  continuing: boolean;
  canContinue: boolean;
  mask: Masker;
  /** to be said in any case, e.g. of logs that could not be written */
  notes: string[];
  log?: string;
}

export type Conclusion =
  | { kind: 'result'; result: DispatchResult }
  /** `progress` is left in the heartbeat before `failure` is thrown */
  | { kind: 'retry'; failure: TemporalFailure; progress: Progress };

/** @returns what the workflow or Temporal is told; `gone` is told to nobody, and fails only so that the activity ends */
export function conclude(end: AttemptEnd): Conclusion {
  const { stopping, cancelled } = end;
  switch (stopping.reason) {
    case 'gone':
      return {
        kind: 'retry',
        failure: cancelled ? new CancelledFailure(cancelled.why) : forgotten('its run is gone'),
        progress: end.progress,
      };
    case 'handover':
      return handedOn(end, cancelled?.why ?? 'its worker shut down');
    case 'cancel':
      return result(end, { reached: reachedBy(end), ok: false, endedBy: 'cancel', stop: stopOf(end), detail: cancelWords(end) });
    case 'timeout':
      return result(end, {
        reached: reachedBy(end),
        ok: false,
        endedBy: 'timeout',
        stop: stopOf(end),
        outcome: 'timed-out',
        detail: timeoutWords(end),
      });
    case 'result':
    case 'quota':
    case undefined:
      return settled(end);
    default:
      return stopping.reason satisfies never;
  }
}

function settled(end: AttemptEnd): Conclusion {
  const { input, ended, continuing } = end;
  // the next attempt finds `running`, and counts the guard's death as its worker's
  if (ended.guardDied) return { kind: 'retry', failure: askAgain('its guard died', GUARD_DELAY_MS), progress: end.progress };
  const verdict = settleEnding(input.work.kind, ended.ending, counted(end), input.limits, continuing);
  if (!verdict.again) return result(end, { ...verdict, endedBy: endedBy(end) });
  const reason = brief(end, verdict.reason);
  return { kind: 'retry', failure: askAgain(reason, verdict.delayMs), progress: verdict.progress };
}

/** A turn that was through all the same is settled; one that cannot be continued is not begun anew. */
function handedOn(end: AttemptEnd, why: string): Conclusion {
  const { input, ended, progress } = end;
  if (ended.finished) return settled(end);
  const lost = input.work.kind === 'agent' && progress.spoke && !(progress.session !== undefined && end.canContinue);
  if (!lost) return { kind: 'retry', failure: handedOver(why), progress: handOver(counted(end), why) };
  const detail = `${why} after it had spoken, and it has no session that can be continued`;
  return result(end, { reached: 'spoke', ok: false, outcome: 'interrupted', endedBy: 'signal', detail });
}

type Told = Pick<DispatchResult, 'reached' | 'ok' | 'outcome' | 'detail' | 'endedBy' | 'stop'>;

function result(end: AttemptEnd, told: Told & { again?: false }): Conclusion {
  const { again: _again, detail: words, ...rest } = told;
  const { progress, ended, log } = end;
  const notes = [words, ...(ended.notes ?? []), ...end.notes].filter((note) => note !== undefined && note !== '');
  const { usage, sessionUsage } = counted(end);
  return {
    kind: 'result',
    result: {
      ...rest,
      ...(notes.length > 0 && { detail: brief(end, notes.join('; ')) }),
      attempts: progress.attempts,
      output: ended.output?.text ?? '',
      ...(ended.output?.artifact !== undefined && { outputArtifact: ended.output.artifact }),
      ...(progress.session !== undefined && { session: { id: progress.session, host: progress.host } }),
      host: progress.host,
      ...(usage && { usage }),
      ...(sessionUsage && { sessionUsage }),
      ...(log !== undefined && { log }),
    },
  };
}

/** The counters with what this attempt used: it is paid for, whatever came of it. */
function counted({ input, progress, ended }: AttemptEnd): Progress {
  const { usage, thread } = countUsage(ended.usage ?? [], progress.sessionUsage ?? input.sessionUsage);
  const sum = addUsage([progress.usage, usage].filter((part) => part !== undefined));
  return { ...progress, ...(sum && { usage: sum }), ...(thread && { sessionUsage: thread }) };
}

function reachedBy({ input, progress, ended }: AttemptEnd): Reached {
  if (progress.spoke) return 'spoke';
  if (!ended.exit && !ended.guardDied) return 'not-started';
  return input.work.kind === 'run' ? 'spoke' : 'silence';
}

function endedBy({ stopping, ended }: AttemptEnd): EndedBy {
  if (stopping.reason === 'result') return 'result';
  if (!ended.exit) return 'not-started';
  return ended.exit.signal === null ? 'exit' : 'signal';
}

function stopOf(end: AttemptEnd): NonNullable<DispatchResult['stop']> {
  const { how, said } = end.stopping.outcome;
  return { how, ...(said !== undefined && { said: cutText(end.mask(said), MAX_SAID_BYTES) }) };
}

function cancelWords(end: AttemptEnd): string {
  if (reachedBy(end) === 'not-started') return 'cancelled before it started';
  const finished = end.ended.finished ? '; its turn had ended by itself, with a result' : '';
  return `cancelled: ${stopWords(end)}${finished}`;
}

function timeoutWords(end: AttemptEnd): string {
  return `no end within ${end.input.limits.timeoutMs / 1_000} s: ${stopWords(end)}${end.ended.finished ? ', with a result' : ''}`;
}

function stopWords({ stopping }: AttemptEnd): string {
  return stopping.outcome.how === 'stopped' ? 'it stopped when it was asked to' : 'it did not stop within its grace and was killed';
}

function brief(end: AttemptEnd, words: string): string {
  return cutText(end.mask(words), MAX_DETAIL_BYTES);
}

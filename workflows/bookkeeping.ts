// The small activities beside the dispatches: journal, result, kill. Each is tried once per effect; whether again is decided in the model.

import { ActivityCancellationType, log, proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { Activities, Written } from '../activities/contract.js';
import { queues } from '../model/ids.js';
import type { JsonValue } from '../model/json.js';
import type { Effect, WriteAnswer } from '../model/run/inputs.js';
import type { RunState } from '../model/run/state.js';
import { lossOf } from './losses.js';

export type Bookkeeping = ReturnType<typeof proxyActivities<Activities>>;
export type Of<K extends Effect['kind']> = Extract<Effect, { kind: K }>;

// 10 s to write; 30 s for a host to take it up, where the effect does not say how long home has (run.md, Events)
export const WRITE: ActivityOptions = {
  startToCloseTimeout: '10s',
  scheduleToStartTimeout: '30s',
  retry: { maximumAttempts: 1 },
  cancellationType: ActivityCancellationType.ABANDON,
};

/** Appends a batch to the journal at home. */
export async function appendJournal({ input }: RunState, { events, patienceMs }: Of<'journal'>): Promise<WriteAnswer> {
  return answered(home(input, patienceMs).appendJournal({ run: input.run, project: input.project, events }));
}

/** Writes the last words, result.json and state.json at home. The tail of events stays out: the journal has them. */
export async function writeEnd(state: RunState, { events, result, patienceMs }: Of<'write-end'>): Promise<WriteAnswer> {
  const { input } = state;
  const kept = { ...state, recent: [] } as unknown as JsonValue;
  return answered(home(input, patienceMs).writeEnd({ run: input.run, project: input.project, events, result, state: kept }));
}

function home({ fleet, home: host = '' }: RunState['input'], patienceMs: number): Bookkeeping {
  return proxyActivities<Activities>({ ...WRITE, scheduleToStartTimeout: patienceMs, taskQueue: queues.host(fleet, host) });
}

async function answered(work: Promise<Written>): Promise<WriteAnswer> {
  try {
    return await work;
  } catch (error) {
    const loss = lossOf(error);
    // a worker that died in the middle is home being away too: the append is idempotent
    return loss.kind === 'failure' ? { written: false, code: 'failed', message: loss.message } : { away: true };
  }
}

/** Ends a dispatch now. If its host is gone, its guard has ended the tree already. */
export async function killDispatch({ input }: RunState, { dispatch, host }: Of<'kill'>): Promise<void> {
  try {
    await proxyActivities<Activities>({ ...WRITE, taskQueue: queues.host(input.fleet, host) }).killDispatch({ run: input.run, dispatch });
  } catch (error) {
    log.warn('the host of a dispatch did not answer the kill', { dispatch, host, reason: lossOf(error).message });
  }
}

/** Asks a dispatch to hand over. If its host is gone, the heartbeat timeout does that. */
export async function askHandover({ input }: RunState, { dispatch, host }: Of<'ask-handover'>): Promise<void> {
  try {
    await proxyActivities<Activities>({ ...WRITE, taskQueue: queues.host(input.fleet, host) }).askHandover({ run: input.run, dispatch });
  } catch (error) {
    log.warn('the host of a dispatch did not answer the hand-over', { dispatch, host, reason: lossOf(error).message });
  }
}

/** Asks Temporal to cancel this run. Without an answer the run ends all the same, as failed with the word cancelled. */
export async function requestCancel({ fleet, run }: RunState['input']): Promise<void> {
  try {
    await proxyActivities<Activities>({ ...WRITE, taskQueue: queues.main(fleet) }).requestCancel({ run });
  } catch (error) {
    log.warn('nobody could ask Temporal to cancel the run', { reason: lossOf(error).message });
  }
}

// Other runs: asked, told, looked after (run.md, Needs across runs).

import { getExternalWorkflowHandle, log, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/contract.js';
import { queues, runWorkflowId } from '../model/ids.js';
import { SIGNALS } from '../model/messages.js';
import type { Described, SubscribeAnswer } from '../model/run/inputs.js';
import type { RunState } from '../model/run/state.js';
import { WRITE, type Bookkeeping, type Of } from './bookkeeping.js';
import { lossOf } from './losses.js';

function main({ fleet }: RunState['input']): Bookkeeping {
  return proxyActivities<Activities>({ ...WRITE, taskQueue: queues.main(fleet) });
}

/** Asks another run to tell how a node of it settles. A failure is asked again by the sweep. */
export async function subscribe({ input }: RunState, { run, node }: Of<'subscribe'>): Promise<SubscribeAnswer> {
  try {
    return await main(input).subscribeNode({ run, node, by: input.run });
  } catch (error) {
    log.warn('another run could not be asked', { run, node, reason: lossOf(error).message });
    return { state: 'open' };
  }
}

/** Tells another run how a node settled. One that is gone needs no word. */
export async function tell({ run, upstream }: Of<'tell'>): Promise<void> {
  try {
    await getExternalWorkflowHandle(runWorkflowId(run)).signal(SIGNALS.upstream, upstream);
  } catch (error) {
    log.info('a run that wanted to know of a node is gone', { run, node: upstream.node, reason: lossOf(error).message });
  }
}

/** What became of other workflows. A failure answers nothing: the next sweep asks again. */
export async function describe({ input }: RunState, { workflows }: Of<'describe'>): Promise<Described[]> {
  try {
    return await main(input).describeWorkflows({ workflows });
  } catch (error) {
    log.warn('other workflows could not be looked at', { reason: lossOf(error).message });
    return [];
  }
}

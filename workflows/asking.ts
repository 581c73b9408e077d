// What a command waits for: a note carried into a running turn, a signature checked at home. Each is tried once; its failure is a
// refusal.

import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/contract.js';
import { queues } from '../model/ids.js';
import type { DeliveryAnswer, VerifyAnswer } from '../model/run/inputs.js';
import type { RunState } from '../model/run/state.js';
import { WRITE, type Of } from './bookkeeping.js';
import { lossOf } from './losses.js';

/** Carries a note into the turn that runs on its host. */
export async function deliverNote({ input }: RunState, { dispatch, host, note }: Of<'deliver-note'>): Promise<DeliveryAnswer> {
  try {
    const on = proxyActivities<Activities>({ ...WRITE, taskQueue: queues.host(input.fleet, host) });
    return await on.deliverNote({ run: input.run, dispatch, note });
  } catch (error) {
    const loss = lossOf(error);
    // nobody took it up: nothing was tried. Otherwise it may have arrived: it must not ride a second dispatch too
    return { delivered: false, tried: loss.unstarted !== true, reason: `host ${host} did not deliver it: ${loss.message}` };
  }
}

/** Has a signature checked by the project's config at home. */
export async function verify({ input }: RunState, { by, message, signature }: Of<'verify'>): Promise<VerifyAnswer> {
  const { fleet, home, project } = input;
  if (home === undefined) return { valid: false, reason: 'gates are signed, and the run has no home where the keys are' };
  try {
    return await proxyActivities<Activities>({ ...WRITE, taskQueue: queues.host(fleet, home) }).verifyAttestation({
      project,
      by,
      message,
      signature,
    });
  } catch (error) {
    return { valid: false, reason: `the signature could not be checked at home: ${lossOf(error).message}` };
  }
}

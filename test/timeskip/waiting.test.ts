// A run that waits a month for a person, with real workers at home: the wait itself costs nothing, and the run goes on as if it were new.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { NodeSpec } from '../../model/plan/compiled.js';
import type { StatusView } from '../../model/run/views.js';
import { human, program } from '../support/builders.js';
import type { Place } from '../support/place.js';
import { openPlace, startAtHome } from '../support/time-home.js';
import { describeInTime, openTimeServer, DAY, type TimeServer } from '../support/time-server.js';
import { until } from '../support/until.js';

let time: TimeServer;
let place: Place;

/** What an attestation, one node after it, the journal and the end cost: six of each activity, and the signal. */
const AFTER_THE_WAIT = 40;

const historyLength = async (handle: WorkflowHandle) => (await handle.describe()).historyLength;

/** The run waits and its journal is written: nothing is under way any more. */
async function atRest(handle: WorkflowHandle, run: string): Promise<number> {
  await until(async () => (await handle.query<StatusView>('status')).state === 'waiting');
  await until(async () => (await place.lines(`.sluice/runs/${run}/events.ndjson`)).some((line) => line.includes('decision-pending')));
  let last = 0;
  await until(async () => {
    const before = last;
    last = await historyLength(handle);
    const { raw } = await handle.describe();
    return last === before && (raw.pendingActivities ?? []).length === 0 && !raw.pendingWorkflowTask;
  });
  return last;
}

describeInTime('a run that waits thirty days at a gate', () => {
  beforeAll(async () => {
    time = await openTimeServer();
    place = await openPlace(time);
    await place.worker();
  }, 60_000);
  afterAll(async () => {
    await place?.close();
    await time?.close();
  });

  it.each<[string, NodeSpec]>([
    ['month-1', human('ok', ['a'])],
    ['month-2', human('ok', ['a'], { deadlineMs: 10 * DAY, onDeadline: 'keep-waiting' })],
    ['month-3', human('ok', ['a'], { deadlineMs: 60 * DAY })],
  ])('gains no event while nothing happens, and completes when it is attested (%s)', async (run, gate) => {
    const append = program('b', ['ok'], {
      run: { argv: ['sh', '-c', `echo b >>${run}`], env: { pass: [], set: {} }, attempts: 1, okCodes: [0] },
    });
    const handle = await startAtHome(time, place, run, [program('a'), gate, append]);
    const before = await atRest(handle, run);
    const began = await time.now();
    await time.pass(30 * DAY);
    expect((await time.now()) - began).toBeGreaterThanOrEqual(30 * DAY);
    expect(await historyLength(handle)).toBe(before);
    expect((await place.cli('attest', run, 'ok')).code).toBe(0);
    expect(await handle.result()).toMatchObject({ state: 'complete' });
    expect(await place.lines(run)).toEqual(['b']);
    expect(await historyLength(handle)).toBeLessThan(before + AFTER_THE_WAIT);
    expect((await place.cli('result', run)).code).toBe(0);
  });
});

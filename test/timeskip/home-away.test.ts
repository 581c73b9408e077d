// A home that is away for hours: the run pauses, says so, stays small by continuing as new, fails nothing, and goes on when home is back.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { Envelope } from '../../model/event.js';
import type { NodeSpec } from '../../model/plan/compiled.js';
import type { StatusView } from '../../model/run/views.js';
import { human, program } from '../support/builders.js';
import type { Place, WorkerProcess } from '../support/place.js';
import { fleetOf, openPlace, startAtHome } from '../support/time-home.js';
import { describeInTime, openTimeServer, HOUR, MINUTE, type TimeServer } from '../support/time-server.js';
import { passUnattended } from '../support/time-unattended.js';
import { until } from '../support/until.js';

let time: TimeServer;
let home: Place;
let elsewhere: Place;
let atHome: WorkerProcess;

/** A few waits for home (six events each) are enough to continue as new; the default of 4,000 would take days. */
const ROLL_AT = 60;

const status = (handle: WorkflowHandle) => handle.query<StatusView>('status');

const gate = human('ok', ['a'], { deadlineMs: 2 * HOUR, onDeadline: 'go', choices: [{ name: 'go' }] });

/** A program that writes down that it ran. */
function append(id: string, needs: string[]): NodeSpec {
  const argv = ['sh', '-c', `echo ${id} >>"$SLUICE_RUN.ran"`];
  return program(id, needs, { run: { argv, env: { pass: [], set: {} }, attempts: 1, okCodes: [0] } });
}

async function journal(run: string): Promise<Envelope[]> {
  return (await home.lines(`.sluice/runs/${run}/events.ndjson`)).map((line) => JSON.parse(line) as Envelope);
}

/** Numbers that are missing from the journal, or twice in it. */
async function gaps(run: string): Promise<number[]> {
  return (await journal(run)).map((event) => event.seq).filter((seq, i) => seq !== i + 1);
}

async function untilWaiting(handle: WorkflowHandle, run: string): Promise<void> {
  await until(async () => (await status(handle)).state === 'waiting');
  await until(async () => (await journal(run)).at(-1)?.kind === 'decision-pending');
}

async function untilHeld(handle: WorkflowHandle): Promise<void> {
  await until(async () => (await status(handle)).held?.includes('does not answer'));
}

/** Without workflows: the server keeps a run's tasks for the worker that had the last one (time-server.ts), so that one must stay. */
function workAtHome(): Promise<WorkerProcess> {
  return home.worker({}, '--no-workflows');
}

async function leave(): Promise<void> {
  atHome.kill('SIGTERM');
  await atHome.ended;
}

describeInTime('a run whose home is away', () => {
  beforeAll(async () => {
    time = await openTimeServer();
    home = await openPlace(time);
    elsewhere = await openPlace(time, fleetOf(home));
    atHome = await workAtHome();
    await elsewhere.worker();
  }, 60_000);
  afterAll(async () => {
    await home?.close();
    await elsewhere?.close();
    await time?.close();
  });

  it('leaves a node in the queue of home for six hours, and runs it once when home is back', async () => {
    const handle = await startAtHome(time, home, 'away-1', [append('a', []), gate, append('b', ['ok']), append('c', ['b'])]);
    await untilWaiting(handle, 'away-1');
    await leave();

    await passUnattended(time, handle, 2 * HOUR + MINUTE);
    await untilHeld(handle);
    const before = (await handle.describe()).historyLength;
    await passUnattended(time, handle, 6 * HOUR);
    expect((await status(handle)).counts).toMatchObject({ failed: 0, done: 2, running: 1, pending: 1 });
    expect((await handle.describe()).historyLength).toBe(before);

    atHome = await workAtHome();
    expect(await handle.result()).toMatchObject({ state: 'complete' });
    expect(await home.lines('away-1.ran')).toEqual(['a', 'b', 'c']);
    expect(await gaps('away-1')).toEqual([]);
  });

  it('asks for home again and again for four hours, continues as new in between, and loses no event', async () => {
    const nodes = [append('a', []), gate, human('late', ['a']), append('b', ['late'])];
    const handle = await startAtHome(time, home, 'away-2', nodes, { settings: { rollAtEvents: ROLL_AT } });
    await untilWaiting(handle, 'away-2');
    const first = (await handle.describe()).runId;
    await leave();

    await passUnattended(time, handle, 2 * HOUR + MINUTE);
    await untilHeld(handle);
    await passUnattended(time, handle, 4 * HOUR);
    const away = await handle.describe();
    expect({ status: away.status.name, rolled: away.runId !== first }).toEqual({ status: 'RUNNING', rolled: true });
    expect(away.historyLength).toBeLessThan(2 * ROLL_AT);
    // an answer is taken while home is away; what it lets go waits
    await handle.signal('attest', { node: 'late' });
    await until(async () => (await status(handle)).counts.done === 3);
    expect(await home.lines('away-2.ran')).toEqual(['a']);

    atHome = await workAtHome();
    expect(await handle.result()).toMatchObject({ state: 'complete' });
    expect(await home.lines('away-2.ran')).toEqual(['a', 'b']);
    expect(await gaps('away-2')).toEqual([]);
  });
});

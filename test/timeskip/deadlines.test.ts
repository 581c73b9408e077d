// Deadlines of human nodes over hours and days: each falls at its own moment by the run's one alarm, with nobody near.

import { afterAll, beforeAll, it, expect } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { Envelope } from '../../model/event.js';
import type { StatusView } from '../../model/run/views.js';
import { human, program } from '../support/builders.js';
import { describeInTime, openTimeServer, DAY, HOUR, MINUTE, type TimeServer } from '../support/time-server.js';
import { until } from '../support/until.js';
import { openServer, type TestServer } from '../support/workflow-server.js';

let time: TimeServer;
let server: TestServer;

/** Workers and the server answer in milliseconds; a busy machine may take this much longer until a decision has been made. */
const SLACK_MS = 2_000;

const isWaiting = async (handle: WorkflowHandle) => (await handle.query<StatusView>('status')).state === 'waiting';

async function eventsOf(handle: WorkflowHandle): Promise<Envelope[]> {
  return (await handle.query<{ events: Envelope[] }, unknown[]>('events', { after: 0, limit: 200 })).events;
}

/** ms from the moment a node began to wait to the moment it was settled. */
async function waited(handle: WorkflowHandle, node: string): Promise<number> {
  const at = (events: Envelope[], kind: string) =>
    Date.parse(events.find((event) => event.kind === kind && event.labels.node === node)?.ts ?? '');
  const events = await eventsOf(handle);
  return at(events, 'node-settled') - at(events, 'node-ready');
}

describeInTime('a human node with a deadline of days', () => {
  beforeAll(async () => {
    time = await openTimeServer();
    server = await openServer(time.address);
  });
  afterAll(async () => {
    await server?.close();
    await time?.close();
  });

  it.each([
    { onDeadline: 'fail', state: 'failed', outcome: 'deadline', dispatched: [] },
    { onDeadline: 'go', state: 'complete', outcome: 'go', dispatched: ['b#1'] },
  ])('waits until the last minute of three days, then falls to $onDeadline', async ({ onDeadline, state, outcome, dispatched }) => {
    const gate = human('ok', [], { deadlineMs: 3 * DAY, onDeadline, choices: [{ name: 'go' }] });
    const handle = await server.start([gate, program('b', ['ok'])]);
    await until(() => isWaiting(handle));
    await time.pass(3 * DAY - MINUTE);
    expect(await isWaiting(handle)).toBe(true);
    await time.pass(MINUTE);
    expect(await handle.result()).toMatchObject({ state, nodes: [{ outcome }, {}] });
    expect(server.calls(handle.workflowId)).toEqual(dispatched);
    expect(Math.abs((await waited(handle, 'ok')) - 3 * DAY)).toBeLessThan(SLACK_MS);
  });

  it('falls in the order of the deadlines where several wait at once, each at its own', async () => {
    const deadlines = { late: 3 * DAY, soon: 2 * HOUR, next: DAY };
    const gates = Object.entries(deadlines).map(([id, deadlineMs]) => human(id, [], { deadlineMs }));
    const handle = await server.start(gates);
    await until(() => isWaiting(handle));
    await time.pass(3 * DAY + MINUTE);
    await handle.result();
    const settled = (await eventsOf(handle)).filter((event) => event.kind === 'node-settled');
    expect(settled.map((event) => event.labels.node)).toEqual(['soon', 'next', 'late']);
    for (const [id, ms] of Object.entries(deadlines)) expect(Math.abs((await waited(handle, id)) - ms)).toBeLessThan(SLACK_MS);
  });

  it('does not fall when somebody answers in its last minute', async () => {
    const handle = await server.start([human('ok', [], { deadlineMs: 3 * DAY }), program('b', ['ok'])]);
    await until(() => isWaiting(handle));
    await time.pass(3 * DAY - MINUTE);
    await handle.signal('attest', { node: 'ok' });
    expect(await handle.result()).toMatchObject({ state: 'complete' });
    await time.pass(DAY);
    expect((await eventsOf(handle)).filter((event) => event.kind === 'node-settled')).toHaveLength(2);
  });
});

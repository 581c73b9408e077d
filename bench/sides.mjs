// The sides of the comparison: each starts a graph or a row of gates on the server and says what it cost.

import { randomUUID } from 'node:crypto';
import { costOf, eventsOf } from './history.mjs';
import { gateName, gatesInput, graphInput } from './sluice-input.mjs';

const BARE_CONCURRENCY = 1_000;

/** @typedef {{ name: string, graph(graph): Promise<object>, gates(count): Promise<object> }} Side */

/** Plain SDK workflows on `queue`, their activities on `activities`. */
export function bareSide(client, { name, queue, activities, project }) {
  const start = (type, run, input) =>
    client.workflow.start(type, { taskQueue: queue, workflowId: run, args: [{ run, project, queue: activities, ...input }] });
  return {
    name,
    signal: 'goOn',
    async graph({ needs }) {
      const run = `bare-${randomUUID()}`;
      const handle = await start('bareGraph', run, { needs, concurrency: BARE_CONCURRENCY });
      const count = await handle.result();
      if (count !== needs.length) throw new Error(`${name}: ${count} of ${needs.length} nodes done`);
      return costOf(client, run, handle.firstExecutionRunId);
    },
    async gates(count) {
      const run = `bare-${randomUUID()}`;
      const handle = await start('bareGates', run, { count });
      for (let i = 0; i < count; i++) {
        await handle.signal('goOn');
        await settledActivities(client, run, handle.firstExecutionRunId, i + 1);
      }
      await handle.result();
      return eventsOf(client, run, handle.firstExecutionRunId);
    },
  };
}

/** Sluice's `run` workflow; with `home` it keeps a journal there. */
export function sluiceSide(client, { name, fleet, project, home }) {
  const start = (run, input) => client.workflow.start('run', { taskQueue: fleet, workflowId: `run/${run}`, args: [input] });
  const where = { fleet, project, home };
  return {
    name,
    signal: 'attest',
    async graph(graph) {
      const run = `bench-${randomUUID()}`;
      const handle = await start(run, graphInput(run, graph, where));
      const result = await handle.result();
      const open = result.nodes.find(({ status }) => status !== 'done');
      if (result.state !== 'complete') throw new Error(`${name}: ${graph.name} ended ${result.state}: ${JSON.stringify(open)}`);
      return costOf(client, `run/${run}`, handle.firstExecutionRunId);
    },
    async gates(count) {
      const run = `bench-${randomUUID()}`;
      const handle = await start(run, gatesInput(run, count, where));
      for (let i = 0; i < count; i++) {
        await waitingFor(handle, gateName(i));
        await handle.signal('attest', { node: gateName(i) });
      }
      await handle.result();
      return eventsOf(client, `run/${run}`, handle.firstExecutionRunId);
    },
  };
}

const LOOK_MS = 5;
const GIVE_UP_MS = 30_000;

async function until(what, look) {
  const end = Date.now() + GIVE_UP_MS;
  while (!(await look())) {
    if (Date.now() > end) throw new Error(`${what}: not after ${GIVE_UP_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function waitingFor(handle, gate) {
  await until(`gate ${gate} waits`, async () => (await handle.query('status')).waiting.some(({ reference }) => reference === gate));
}

/** The bare workflow has no query: its history says how far it is. */
async function settledActivities(client, workflowId, runId, count) {
  await until(`${count} activities of ${workflowId}`, async () => {
    const events = await eventsOf(client, workflowId, runId);
    return events.filter((event) => event.activityTaskCompletedEventAttributes).length >= count;
  });
}

// One process: plain SDK workers for the bare workflows, with the polls and slots that Sluice's workers have. One polls workflows and
// activities (the SDK then starts activities with the answer of the workflow task), one a queue of its own, as a host's activities have.
// Started by main.mjs with a JSON argument; says `{ready: true}` and ends when its channel closes.

import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { built } from './built.mjs';
import { noOpDispatch } from './no-op.mjs';
import { spawnDispatch } from './spawn.mjs';

const { address, queue, hostQueue, bundlePath, slots, programSlots } = JSON.parse(process.argv[2]);
const { workerOptions } = await built('workers/worker-options.js');

Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
const connection = await NativeConnection.connect({ address });
const activities = { dispatch: noOpDispatch('bench') };
const workers = await Promise.all([
  Worker.create({
    ...workerOptions({ queue, workflows: true, activities: ['dispatch'], slots }, 0),
    connection,
    workflowBundle: { codePath: bundlePath },
    activities,
  }),
  worker(hostQueue, slots, activities),
  worker(`${hostQueue}/programs`, programSlots, { dispatch: spawnDispatch('bench') }),
]);
process.once('disconnect', () => workers.forEach((each) => each.shutdown()));
const running = Promise.all(workers.map((each) => each.run()));
process.send({ ready: true });
await running;
await connection.close();

function worker(taskQueue, slotsOf, of) {
  const options = workerOptions({ queue: taskQueue, workflows: false, activities: ['dispatch'], slots: slotsOf }, 0);
  return Worker.create({ ...options, connection, activities: of });
}

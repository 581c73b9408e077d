// One process: a plain SDK worker for the bare workflows, with the polls and slots that Sluice's workers have.
// Started by main.mjs with a JSON argument; says `{ready: true}` and ends when its channel closes.

import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { built } from './built.mjs';
import { noOpDispatch } from './no-op.mjs';

const { address, queue, bundlePath, slots } = JSON.parse(process.argv[2]);
const { workerOptions } = await built('workers/worker-options.js');

Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  ...workerOptions({ queue, workflows: true, activities: ['dispatch'], slots }, 0),
  connection,
  workflowBundle: { codePath: bundlePath },
  activities: { dispatch: noOpDispatch('bench') },
});
process.once('disconnect', () => worker.shutdown());
const running = worker.run();
process.send({ ready: true });
await running;
await connection.close();

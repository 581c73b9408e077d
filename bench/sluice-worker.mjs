// One process: Sluice's workers as `sluice worker` builds them, with a no-op `dispatch` unless real programs are asked for.
// Started by main.mjs with a JSON argument; says `{ready: true, host}` and ends when its channel closes.

import { built } from './built.mjs';
import { noOpDispatch } from './no-op.mjs';

const { address, fleet, stateDir, slots, real } = JSON.parse(process.argv[2]);
const { runWorkers } = await built('workers/build.js');

const workers = await runWorkers({
  address,
  namespace: 'default',
  stateDir,
  fleet,
  slots: { agents: 1, programs: slots },
  graceMs: 0,
  log: (line) => console.error(line),
  ...(!real && { activitiesOverride: { dispatch: noOpDispatch('bench') } }),
});
process.once('disconnect', () => void workers.shutdown());
process.send({ ready: true, host: workers.host });
await workers.done;

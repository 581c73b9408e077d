// A worker reduced to its processes: starts what the JSON in argv tells, says `started <pid> <guard pid>` for each, waits to be killed.

import { startProcesses } from '../../../activities/process/guard-client.js';
import type { SpawnSpec } from '../../../activities/process/process.js';

const [stateDir = '', guardPath = '', specs = '[]'] = process.argv.slice(2);
const processes = await startProcesses({ stateDir, guardPath, log: (line) => void process.stderr.write(`${line}\n`) });
const ignore = (): void => undefined;
for (const spec of JSON.parse(specs) as SpawnSpec[]) {
  const child = await processes.spawn(spec, { stdout: ignore, stderr: ignore });
  if (!('pid' in child)) throw new Error(child.message);
  child.note({ session: `session of ${spec.dispatch}`, spoke: true });
  const record = await processes.record(spec.run, spec.dispatch);
  process.stdout.write(`started ${child.pid} ${record?.owner.pid}\n`);
}
setInterval(() => undefined, 60_000);

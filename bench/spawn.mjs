// What someone would write for a program with the SDK alone: spawned from the activity, no guard, no record, no log.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { noOpDispatch } from './no-op.mjs';

/** Runs the argv of the node and answers as the no-op does. */
export function spawnDispatch(host) {
  const answer = noOpDispatch(host);
  return async ({ work: { argv } }) => {
    const [command, ...args] = argv;
    const [code] = await once(spawn(command, args, { stdio: 'ignore' }), 'close');
    if (code !== 0) throw new Error(`${command} exited with ${code}`);
    return answer();
  };
}

// Starts one process for the guard, and says in the system's own words why one could not be started.
// `child_process`, not execa: docs/adr/0002-guard-spawns-with-child-process.md.

import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { MARKER } from './process-table.js';
import type { SpawnFailure, SpawnSpec } from './process.js';
import type { PipedProcess } from './running-child.js';

/** A `SpawnSpec` on the wire: the text for stdin follows in frames of its own. */
export interface SpawnRequest extends Omit<SpawnSpec, 'stdin'> {
  stdin: 'ignore' | 'open';
}

export type Spawned = { child: PipedProcess; pid: number } | { failure: SpawnFailure };

/** In a group and session of its own; stdin is empty unless it is to be written to. */
export async function spawnProcess(request: SpawnRequest, marker: string): Promise<Spawned> {
  const [program = '', ...args] = request.argv;
  try {
    const child = spawn(program, args, {
      cwd: request.cwd,
      env: { ...request.env, [MARKER]: marker },
      stdio: [request.stdin === 'open' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached: true,
    }) as PipedProcess;
    if (child.pid !== undefined) return { child, pid: child.pid };
    // some refusals come as an event, others (E2BIG, ENOTDIR, a NUL in argv) are thrown
    return { failure: explain(await new Promise((resolve) => child.once('error', resolve)), request) };
  } catch (error) {
    return { failure: explain(error as NodeJS.ErrnoException, request) };
  }
}

function explain(error: NodeJS.ErrnoException, { argv, cwd }: SpawnRequest): SpawnFailure {
  const code = error.code ?? 'UNKNOWN';
  const program = argv[0] ?? '';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const wrong = directoryFault(cwd);
    const what = wrong === 'ENOENT' ? 'does not exist' : 'is not a directory';
    if (wrong) return { code: wrong, missing: 'directory', message: `${program} was not started: ${cwd} ${what}` };
    return { code, missing: 'program', message: `${program} was not found${program.includes('/') ? '' : ' on PATH'}` };
  }
  if (code === 'E2BIG') {
    return { code, message: `${program}: arguments and environment are larger than the system allows; give long text by stdin or file` };
  }
  if (code === 'EACCES') return { code, message: `${program} may not be executed, or ${cwd} not be entered` };
  return { code, message: `${program} could not be started: ${error.message}` };
}

/** The system says ENOENT for a missing directory and for a missing program alike. */
function directoryFault(cwd: string): 'ENOENT' | 'ENOTDIR' | undefined {
  try {
    return statSync(cwd).isDirectory() ? undefined : 'ENOTDIR';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'ENOTDIR' : 'ENOENT';
  }
}

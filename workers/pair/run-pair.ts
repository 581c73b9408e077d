// The life of the pair in one process: lock, server, workers, and their end in that order backwards.
// Knows nothing of commands and terminals; what it needs of the workers is handed in.

import { done, refused, type Tried } from '../../model/errors.js';
import { statePaths } from '../../model/paths.js';
import { locateCli, type LocatedCli } from '../../temporal-dev/locate.js';
import { isPortFree } from '../../temporal-dev/ports.js';
import { DevServerError, startDevServer, type DevServer } from '../../temporal-dev/server.js';
import type { SearchAttributeType } from '../../temporal-dev/server-args.js';
import { endOrphans, forgetServer, recordServer, removeDevInfo } from './dev-info.js';
import { keepServer } from './keep-server.js';
import { rotateLog } from './logs.js';
import type { PairOptions } from './options.js';
import { seize, type Seized } from './seize.js';
import { announce, withWorkers } from './work.js';

/** The index of runs: `list` and `waiting` are faster with it, and right without (operations.md, Temporal Cloud). */
const SEARCH_ATTRIBUTES: Readonly<Record<string, SearchAttributeType>> = {
  SluiceState: 'Keyword',
  SluiceWaiting: 'Int',
  SluicePlan: 'Keyword',
};
const LOOPBACK = '127.0.0.1';

/**
 * Runs server and workers until the signal (people.md, `sluice dev`).
 * A foreground pair takes over from an embedded one; one that stands in the foreground already is not touched.
 * @returns done after the signal; refusal `refused` when another pair runs, `usage` for a port that is taken, `unreachable` when there is
 *   no CLI or the server fails, `defect` when a worker fails
 */
export async function runPair(options: PairOptions): Promise<Tried<undefined>> {
  // before anything is ended: a download may take minutes, and may fail
  const cli = await locateCli(options);
  if (options.signal.aborted) return done(undefined);
  if ('refused' in cli) return refused('unreachable', cli.refused);
  const lock = await takeOver(options);
  if ('held' in lock) return alreadyRuns(lock.held.pid, lock.held.label);
  try {
    const orphans = await endOrphans(options.stateDir);
    orphans.forEach((pid) => options.say(`ended the dev server that a killed one left behind (process ${pid})`));
    await removeDevInfo(options.stateDir);
    await rotateLog(serverLogFile(options.stateDir));
    return await withServer(options, cli);
  } finally {
    await lock.release();
  }
}

function takeOver({ stateDir, mode, say }: PairOptions): Promise<Seized> {
  return seize(statePaths(stateDir).devLock, {
    label: mode,
    mayEnd: (owner) => mode === 'foreground' && owner.label === 'embedded',
    onEnding: (owner) => say(`taking over from the dev server in the background (process ${owner.pid})`),
  });
}

function alreadyRuns(pid: number, label: string): Tried<never> {
  const where = label === 'embedded' ? 'in the background' : 'in the foreground';
  return refused('refused', `a dev server already runs ${where} as process ${pid}; use it, or end it with \`sluice down\``);
}

const serverLogFile = (stateDir: string): string => `${statePaths(stateDir).dev}/server.log`;

function startServer(options: PairOptions, cli: LocatedCli, port?: number): Promise<DevServer> {
  const { stateDir, ephemeral } = options;
  return startDevServer({
    cli: cli.path,
    dbFile: ephemeral ? undefined : statePaths(stateDir).devDatabase,
    port: port ?? options.port,
    portFixed: port !== undefined || options.port !== undefined,
    searchAttributes: SEARCH_ATTRIBUTES,
    logFile: serverLogFile(stateDir),
    onSpawn: (server) => recordServer(stateDir, server),
  });
}

async function withServer(options: PairOptions, cli: LocatedCli): Promise<Tried<undefined>> {
  const { port, stateDir, log } = options;
  if (port !== undefined && !(await isPortFree(port, LOOPBACK))) {
    return refused('usage', `port ${port} of ${LOOPBACK} is taken; choose another with --port, or leave it out`);
  }
  try {
    const kept = await keepServer({
      start: (again) => startServer(options, cli, again),
      restartable: options.ephemeral !== true,
      onRestart: (server) => announce(options, cli.version, server),
      log,
    });
    try {
      return await withWorkers(options, cli.version, kept);
    } finally {
      await kept.stop();
      await forgetServer(stateDir);
      await removeDevInfo(stateDir);
    }
  } catch (error) {
    if (error instanceof DevServerError) return refused('unreachable', error.message, error.tail);
    throw error;
  }
}

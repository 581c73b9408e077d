// Makes sure that a pair runs for this user, starting one in the background when there is none. Several commands may ask at once.
// Knows the pair by its files and its lock only; the pair itself is another process.

import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { done, refused, type Tried } from '../../model/errors.js';
import { statePaths } from '../../model/paths.js';
import { locateCli } from '../../temporal-dev/locate.js';
import { lockOwner } from '../../temporal-dev/lock.js';
import { poll } from '../../temporal-dev/poll.js';
import { answers } from '../../temporal-dev/serving.js';
import type { OnProgress } from '../../temporal-dev/progress.js';
import { packageVersion } from '../version.js';
import { readLiveDevInfo, type DevInfo } from './dev-info.js';
import { rotateLog, tailOf } from './logs.js';

export interface EnsureOptions {
  /** the user's state and cache folders, absolute */
  stateDir: string;
  cacheDir: string;
  /** of the pair, and so of the agents that it will run */
  env: NodeJS.ProcessEnv;
  onProgress?: OnProgress | undefined;
  /** one line for the person, once, when something is started */
  say(line: string): void;
  /** tests only: the command that starts a pair, default this package's own */
  command?: string[] | undefined;
}

/** Server and workers together take 3 s on an idle machine; a busy one with a large database takes far longer. */
const START_TIMEOUT_MS = 120_000;

const OWN_COMMAND = [process.execPath, fileURLToPath(new URL('../../cli/main.js', import.meta.url)), 'dev', '--embedded'];

interface Starting {
  pid: number | undefined;
  /** false once the process has ended */
  alive: boolean;
  /** its last words */
  tail(): Promise<string>;
}

/** Detached, with its own folder as the working one: it outlives this command and holds nobody's folder. */
async function startDetached(options: EnsureOptions, cli: string): Promise<Starting> {
  const { dev, devLog } = statePaths(options.stateDir);
  const from = await rotateLog(devLog);
  const fd = openSync(devLog, 'a', 0o600);
  const [file = process.execPath, ...args] = options.command ?? OWN_COMMAND;
  // started from inside a dispatch it would be taken for a part of that dispatch's tree, and ended with it
  const { SLUICE_DISPATCH_KEY: _marker, ...env } = options.env;
  const child = execa(file, args, {
    cwd: dev,
    // the CLI was found and its checksum compared a moment ago: not again
    env: { ...env, SLUICE_STATE_DIR: options.stateDir, SLUICE_CACHE_DIR: options.cacheDir, SLUICE_TEMPORAL_CLI: cli },
    extendEnv: false,
    detached: true,
    cleanup: false,
    stdin: 'ignore',
    stdout: fd as 9, // a file's own number; execa's types stop at 9
    stderr: fd as 9,
    buffer: false,
    reject: false,
  });
  closeSync(fd);
  child.unref();
  const starting: Starting = { pid: child.pid, alive: true, tail: () => tailOf(devLog, from) };
  void child.then(() => (starting.alive = false));
  return starting;
}

async function serving(stateDir: string): Promise<DevInfo | undefined> {
  const info = await readLiveDevInfo(stateDir);
  return info && (await answers(info.address)) ? info : undefined;
}

/**
 * Waits for a pair, starting one as soon as nobody holds the lock. Two commands may both start one: the second process ends by
 * itself at the lock, and both commands find the first's pair.
 */
async function startAndWait(
  options: EnsureOptions,
  cli: string,
): Promise<{ info: DevInfo; ours: boolean } | { failed: string; tail: string }> {
  let child: Starting | undefined;
  let info: DevInfo | undefined;
  const settled = async (): Promise<boolean> => {
    info = await serving(options.stateDir);
    if (info) return true;
    const ended = child?.alive === false; // read before the lock: whoever ended has released it
    const owner = await lockOwner(statePaths(options.stateDir).devLock);
    if (owner) return false;
    if (ended) return true;
    child ??= await startDetached(options, cli);
    return false;
  };
  const inTime = await poll(settled, { timeoutMs: START_TIMEOUT_MS, everyMs: 100 });
  if (info) return { info, ours: info.pid === child?.pid };
  const tail = (await child?.tail()) ?? '';
  const why = inTime ? tail.split('\n').at(-1) || 'it ended without a word' : `it did not serve within ${START_TIMEOUT_MS / 1000} s`;
  return { failed: `the dev server in the background did not start: ${why}; see ${statePaths(options.stateDir).devLog}`, tail };
}

function warnOfVersion({ sluiceVersion }: DevInfo, say: EnsureOptions['say']): void {
  if (sluiceVersion === packageVersion()) return;
  say(`the dev server was started by sluice ${sluiceVersion}, this is ${packageVersion()}; \`sluice down\` makes way for a new one`);
}

/**
 * Finds the user's pair, or starts it (people.md, `sluice run`). Returns once its workers poll.
 * @returns its address; refusal `unreachable` with the last lines of `dev.log`
 */
export async function ensureEmbedded(options: EnsureOptions): Promise<Tried<{ address: string; started: boolean }>> {
  const { stateDir, say } = options;
  const found = await serving(stateDir);
  if (found) {
    warnOfVersion(found, say);
    return done({ address: found.address, started: false });
  }
  // here, where a person sees it move, and not in a log
  const cli = await locateCli(options);
  if ('refused' in cli) return refused('unreachable', cli.refused);
  say(`no Temporal is configured: starting a dev server and a worker in the background (\`sluice down\` ends them)`);
  const outcome = await startAndWait(options, cli.path);
  if ('failed' in outcome) return refused('unreachable', outcome.failed, outcome.tail);
  return done({ address: outcome.info.address, started: outcome.ours });
}

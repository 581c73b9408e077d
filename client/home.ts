// Which host a run calls home: this machine if a worker serves it, else the one that was named, else none (plan.md, Fields of a node).

import { readFile } from 'node:fs/promises';
import { isId, queues } from '../model/ids.js';
import { done, refused, type Tried } from '../model/errors.js';
import { stateDir, statePaths, type PathEnv } from '../model/paths.js';
import type { Door } from './connect.js';

/** A worker's long poll lasts up to 60 s; one not seen for 75 s is gone (run.md, Slots). The server itself remembers pollers for 5 min. */
const POLLER_FRESH_MS = 75_000;

/** `TASK_QUEUE_TYPE_WORKFLOW` and `_ACTIVITY` of the server's API. */
export const QUEUE_TYPE = { workflow: 1, activity: 2 } as const;

/** A worker that has just been started takes a moment until its first poll is seen. */
const FIRST_POLL_MS = 3_000;
const LOOK_AGAIN_MS = 100;

export interface HomeOptions {
  where: PathEnv;
  fleet: string;
  /** `--home HOST` */
  given?: string;
  /** a worker of this machine was started a moment ago */
  justStarted?: boolean;
}

export interface Home {
  /** undefined: Temporal's history is the run's only record */
  host?: string;
  /** said to the person when there is none, or when nobody polls for it */
  note?: string;
}

/**
 * Chooses the home of a new run.
 * @returns refusal `usage` when `--home` is not a host id
 */
export async function findHome(door: Door, options: HomeOptions): Promise<Tried<Home>> {
  const { fleet, given } = options;
  if (given !== undefined) {
    if (!isId(given))
      return refused('usage', `--home "${given}" is not a host id; a host's id is in its state folder, in the file host-id`);
    const served = await pollersOf(door, queues.host(fleet, given), QUEUE_TYPE.activity);
    return done(served > 0 ? { host: given } : { host: given, note: `no worker of host ${given} polls now; the run starts when one does` });
  }
  const host = await thisHost(options.where);
  if (host !== undefined && (await isServed(door, options, host))) return done({ host });
  const why = host === undefined ? 'this machine has no host id yet' : `no worker of this machine (host ${host}) polls`;
  return done({ note: `${why}: the run has no home, so it keeps no journal here and Temporal's history is its only record` });
}

/** This machine's host id, made by its first worker; undefined before that. */
export async function thisHost(where: PathEnv): Promise<string | undefined> {
  try {
    const id = (await readFile(statePaths(stateDir(where)).hostId, 'utf8')).trim();
    return isId(id) ? id : undefined;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function isServed(door: Door, options: HomeOptions, host: string): Promise<boolean> {
  const until = Date.now() + (options.justStarted === true ? FIRST_POLL_MS : 0);
  for (;;) {
    if ((await pollersOf(door, queues.host(options.fleet, host), QUEUE_TYPE.activity)) > 0) return true;
    if (Date.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** Workers seen on a task queue within the last 75 s. */
export async function pollersOf(door: Door, taskQueue: string, type: number): Promise<number> {
  const answer = await door.connection.workflowService.describeTaskQueue({
    namespace: door.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: type,
  });
  const oldest = Date.now() - POLLER_FRESH_MS;
  return (answer.pollers ?? []).filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 >= oldest).length;
}

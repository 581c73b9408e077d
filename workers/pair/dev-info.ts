// What the pair leaves in the user's state folder for others: `dev.json` while it serves, and on record the server process itself,
// so that one whose owner was killed can be found and ended. Starts and ends nothing but that.

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { statePaths } from '../../model/paths.js';
import { endProcess, isRunning, type ProcessIdentity } from '../../temporal-dev/process-identity.js';
import { serversOn } from '../../temporal-dev/same-database.js';

const DevInfo = z.object({
  /** the process that owns the pair, told from later ones by its start */
  pid: z.number().int(),
  start: z.string(),
  serverPid: z.number().int(),
  serverStart: z.string(),
  /** host:port */
  address: z.string(),
  uiUrl: z.string(),
  /** of the Temporal CLI */
  version: z.string(),
  mode: z.enum(['embedded', 'foreground']),
  /** the database is in memory */
  ephemeral: z.boolean(),
  /** ISO time */
  since: z.string(),
  sluiceVersion: z.string(),
});
/** `dev/dev.json` in the state folder: there from the moment workers poll until the pair stops, and after a kill -9. */
export type DevInfo = z.infer<typeof DevInfo>;

const Server = z.object({ pid: z.number().int(), start: z.string() });

/** A server that is ended by its record has nobody who waits for it: it gets what a server needs to close its database. */
const ORPHAN_GRACE_MS = 10_000;

const serverRecord = (stateDir: string): string => `${statePaths(stateDir).dev}/server.json`;

async function read<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const { code, name } = error as { code?: string; name?: string };
    // an unreadable record (cut by a power failure, or of another version) says as little as none
    if (code === 'ENOENT' || name === 'SyntaxError' || name === 'ZodError') return undefined;
    throw error;
  }
}

/** By a rename, so that nobody reads half of it. */
async function write(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.part`, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.part`, file);
}

/** @returns what `dev.json` says, whether or not the pair still runs */
export async function readDevInfo(stateDir: string): Promise<DevInfo | undefined> {
  return read(statePaths(stateDir).devInfo, DevInfo);
}

/** @returns what `dev.json` says if the process that wrote it still runs */
export async function readLiveDevInfo(stateDir: string): Promise<DevInfo | undefined> {
  const info = await readDevInfo(stateDir);
  return info && (await isRunning(info)) ? info : undefined;
}

export async function writeDevInfo(stateDir: string, info: DevInfo): Promise<void> {
  await write(statePaths(stateDir).devInfo, info);
}

export async function removeDevInfo(stateDir: string): Promise<void> {
  await rm(statePaths(stateDir).devInfo, { force: true });
}

/** Call as soon as the server is a process. */
export async function recordServer(stateDir: string, { pid, start }: ProcessIdentity): Promise<void> {
  await write(serverRecord(stateDir), { pid, start });
}

/** Call when the server was ended in good order. */
export async function forgetServer(stateDir: string): Promise<void> {
  await rm(serverRecord(stateDir), { force: true });
}

/**
 * Ends what a killed pair left serving; two servers on one database would ruin it. Call under the lock.
 * @returns the pids that were ended: the one on record, and one whose owner was killed before it could record it
 */
export async function endOrphans(stateDir: string): Promise<number[]> {
  const recorded = await read(serverRecord(stateDir), Server);
  const servers = [...(recorded ? [recorded] : []), ...(await serversOn(statePaths(stateDir).devDatabase))];
  const ended: number[] = [];
  for (const server of servers) if ((await endProcess(server, ORPHAN_GRACE_MS)) !== 'absent') ended.push(server.pid);
  await forgetServer(stateDir);
  return ended;
}

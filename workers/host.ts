// Which host this is: a random id in the state folder, made once by its first worker and shared by all of them.
// Random because host names repeat (containers, clones), and two hosts with one id would share task queues.

import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isId } from '../model/ids.js';
import { statePaths } from '../model/paths.js';

/** Letters of the machine's name that lead the id, for people; the random part makes it unique. */
const NAME_LETTERS = 24;

/**
 * The id of this host, e.g. `laptop-9f2c4e10ab77`.
 * Two workers that start at once on a fresh machine get the same one.
 * @throws Error when the file holds something else: a new id would orphan every queue, session and journal of the old one
 */
export async function hostId(stateDir: string): Promise<string> {
  const path = statePaths(stateDir).hostId;
  const kept = await readId(path);
  if (kept !== undefined) return kept;
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  await claimId(path);
  const claimed = await readId(path);
  if (claimed === undefined) throw new Error(`host id: ${path} was removed while it was being made; start again`);
  return claimed;
}

async function readId(path: string): Promise<string | undefined> {
  let id: string;
  try {
    id = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
  if (isId(id)) return id;
  throw new Error(
    `host id: ${path} holds ${JSON.stringify(id.slice(0, 80))}, which is none; restore it, or remove it to become a new host`,
  );
}

/** Writes a new id beside the file and links it into place: link(2) lets exactly one of two win, and nobody reads half a file. */
async function claimId(path: string): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(`${newId()}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(part, path);
  } catch (error) {
    // another worker was first: its id is read next
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    await rm(part, { force: true });
  }
}

function newId(): string {
  const name = hostname()
    .split('.')[0]!
    .replace(/[^A-Za-z0-9-]/g, '')
    .replace(/^-+/, '')
    .slice(0, NAME_LETTERS);
  return `${name || 'host'}-${randomBytes(6).toString('hex')}`;
}

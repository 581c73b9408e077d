// Ends what dead guards have left, by their local records, and keeps the records for the next attempts.
// Never touches a tree whose guard is alive, nor a pid that is not the very process of the record.

import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSame, type Identity } from './identity.js';
import type { LocalRecord } from './process.js';
import { CLAIM_SUFFIX, readRecord, recordsFolder, removeClaim, removeRecord, writeRecord } from './records.js';
import { TreeEnder } from './tree-ender.js';

/** As long as the server keeps a closed run (operations.md, Dev server): after that no attempt can ask for the session any more. */
const KEEP_ENDED_MS = 30 * 24 * 60 * 60 * 1000;
/** A folder or draft that nothing has touched for a day belongs to no guard that is just writing into it. */
const STALE_MS = 24 * 60 * 60 * 1000;

export interface SweepOptions {
  /** the user's state folder (model/paths.ts `stateDir`) */
  stateDir: string;
  log: (line: string) => void;
}

/**
 * For a worker that starts: ends the trees whose guard is dead (agents.md, Processes), removes records that ended 30 days ago.
 * @returns the records of the trees that it found unended, marked `ended`; resolves when those trees are gone
 */
export async function sweepDispatches(options: SweepOptions): Promise<LocalRecord[]> {
  const alive = new Map<string, boolean>();
  const isDead = ({ pid, start }: Identity): boolean => {
    const key = `${pid} ${start}`;
    if (!alive.has(key)) alive.set(key, isSame(pid, start));
    return alive.get(key) === false;
  };
  const swept = await endTrees(options, isDead);
  await removeStaleFolders(options.stateDir);
  return swept;
}

/** For a worker whose guard has died: ends the trees of that guard. */
export function endTreesOf(owner: Identity, options: SweepOptions): Promise<LocalRecord[]> {
  return endTrees(options, ({ pid, start }) => pid === owner.pid && start === owner.start);
}

type OwnerTest = (owner: Identity) => boolean;

async function endTrees(options: SweepOptions, isLeft: OwnerTest): Promise<LocalRecord[]> {
  const ender = new TreeEnder(options.log);
  const paths = await recordFiles(options.stateDir);
  const ended = await Promise.all(paths.map((path) => endTree(path, isLeft, ender, options.log)));
  return ended.filter((record) => record !== undefined);
}

async function endTree(path: string, isLeft: OwnerTest, ender: TreeEnder, log: SweepOptions['log']): Promise<LocalRecord | undefined> {
  const record = readLogged(path, log);
  if (record === undefined) return undefined;
  if (record.ended !== undefined) {
    if (Date.parse(record.ended) < Date.now() - KEEP_ENDED_MS) removeRecord(path);
    return undefined;
  }
  if (!isLeft(record.owner)) return undefined;
  const { pid, start, marker = '' } = record;
  const count = await ender.end({ pid, start, marker, ownsGroup: false, scope: 'tree' });
  if (count > 0) log(`${record.run}/${record.dispatch}: ended ${count} processes that a dead worker left`);
  return keepEnded(path, record);
}

/** The next attempt may continue the session. Of a claim there is nothing to continue. */
function keepEnded(path: string, record: LocalRecord): LocalRecord | undefined {
  if (path.endsWith(CLAIM_SUFFIX)) {
    removeClaim(path.slice(0, -CLAIM_SUFFIX.length));
    return undefined;
  }
  // the next attempt may have begun meanwhile, and the file be its
  if (readRecord(path)?.marker !== record.marker) return undefined;
  const ended = { ...record, ended: new Date().toISOString() };
  writeRecord(path, ended);
  return ended;
}

function readLogged(path: string, log: SweepOptions['log']): LocalRecord | undefined {
  try {
    return readRecord(path);
  } catch (error) {
    log((error as NodeJS.ErrnoException).message);
    return undefined;
  }
}

async function recordFiles(stateDir: string): Promise<string[]> {
  const folders = await runFolders(stateDir);
  const files = await Promise.all(folders.map(async (folder) => (await names(folder)).map((name) => join(folder, name))));
  return files.flat().filter((path) => path.endsWith('.json') || path.endsWith(CLAIM_SUFFIX));
}

async function removeStaleFolders(stateDir: string): Promise<void> {
  const before = Date.now() - STALE_MS;
  for (const folder of await runFolders(stateDir)) {
    const drafts = (await names(folder)).filter((name) => name.endsWith('.tmp')).map((name) => join(folder, name));
    for (const draft of drafts) if (await isOlder(draft, before)) await rm(draft, { force: true });
    // ENOTEMPTY is the usual answer: it has records
    if (await isOlder(folder, before)) await rmdir(folder).catch(() => undefined);
  }
}

async function isOlder(path: string, before: number): Promise<boolean> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs < before,
    // gone: another worker sweeps as well
    () => false,
  );
}

async function runFolders(stateDir: string): Promise<string[]> {
  return (await names(recordsFolder(stateDir))).map((name) => join(recordsFolder(stateDir), name));
}

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

// What a sweep touches and what it leaves alone; records and identities under it.

import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execa, type ResultPromise } from 'execa';
import { startOf } from '../../../activities/process/identity.js';
import type { LocalRecord } from '../../../activities/process/process.js';
import { CLAIM_SUFFIX, readRecord, recordPath, writeRecord } from '../../../activities/process/records.js';
import { sweepDispatches } from '../../../activities/process/sweep.js';
import { isAlive, scratch, type Scratch } from './support.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const DEAD = { pid: 2 ** 22 + 1, start: 'never' };
let here: Scratch;
let other: ResultPromise;
beforeEach(async () => {
  here = await scratch();
  other = execa('sleep', ['300'], { detached: true, cleanup: false, reject: false, env: { SLUICE_DISPATCH_KEY: 'mark-of-other' } });
});
afterEach(async () => {
  other.kill('SIGKILL');
  await other;
  await here.remove();
});

function keep(more: Partial<LocalRecord>, suffix = ''): string {
  const pid = other.pid ?? 0;
  const base = { run: 'run-1', dispatch: 'node#1', attempt: 1, owner: DEAD, pid, start: startOf(pid) ?? '', startedAt: '', spoke: true };
  const record = { ...base, ...more };
  const path = recordPath(here.stateDir, record.run, record.dispatch);
  writeRecord(`${path}${suffix}`, record);
  return path;
}

const sweep = () => sweepDispatches({ stateDir: here.stateDir, log: (line) => here.log.push(line) });

describe('a sweep', () => {
  it('has nothing to do where nothing ever ran', async () => {
    expect(await sweep()).toEqual([]);
  });

  it('ends a tree whose guard is dead and keeps its record as ended', async () => {
    const path = keep({ session: 's-1' });
    expect(await sweep()).toMatchObject([{ dispatch: 'node#1', session: 's-1', ended: expect.any(String) }]);
    expect(isAlive(other.pid ?? 0)).toBe(false);
    expect(readRecord(path)?.ended).toEqual(expect.any(String));
  });

  it('never touches a pid that was given to another process', async () => {
    const path = keep({ start: 'earlier' });
    expect(await sweep()).toHaveLength(1);
    expect(isAlive(other.pid ?? 0)).toBe(true);
    expect(readRecord(path)?.ended).toEqual(expect.any(String));
  });

  it('leaves the trees of a live guard alone', async () => {
    const path = keep({ owner: { pid: process.pid, start: startOf(process.pid) ?? '' } });
    expect(await sweep()).toEqual([]);
    expect(isAlive(other.pid ?? 0)).toBe(true);
    expect(readRecord(path)?.ended).toBeUndefined();
  });

  it('takes a guard whose pid was given to another process for dead', async () => {
    keep({ owner: { pid: process.pid, start: 'earlier' } });
    expect(await sweep()).toHaveLength(1);
    expect(isAlive(other.pid ?? 0)).toBe(false);
  });

  (process.platform === 'linux' ? it : it.skip)('finds by its marker what was started before its record was written', async () => {
    const path = keep({ pid: 0, start: '', marker: 'mark-of-other' }, CLAIM_SUFFIX);
    expect(await sweep()).toEqual([]);
    expect(isAlive(other.pid ?? 0)).toBe(false);
    expect(existsSync(`${path}${CLAIM_SUFFIX}`)).toBe(false);
  });

  it('removes records that ended 30 days ago, and folders that stay empty', async () => {
    const old = keep({ dispatch: 'old#1', ended: new Date(Date.now() - 31 * DAY_MS).toISOString() });
    const young = keep({ dispatch: 'young#1', ended: new Date(Date.now() - 29 * DAY_MS).toISOString() });
    const empty = join(here.stateDir, 'dispatches', 'run-empty');
    await mkdir(empty);
    await utimes(empty, new Date(0), new Date(0));
    await sweep();
    expect([old, young, empty].map((path) => existsSync(path))).toEqual([false, true, false]);
  });

  it('says which file it cannot read, and goes on with the others', async () => {
    const path = keep({});
    const torn = join(dirname(path), 'torn#1.json');
    await writeFile(torn, '{"run": 1');
    expect(await sweep()).toHaveLength(1);
    expect(here.log.some((line) => line.includes(torn))).toBe(true);
  });
});

describe('a record', () => {
  it('is named so that ids stay readable and nothing leaves the folder', async () => {
    expect(recordPath('/state', 'run-1', 'node@step#2')).toBe('/state/dispatches/run-1/node@step#2.json');
    expect(recordPath('/state', '../up', 'a/b#1')).toBe('/state/dispatches/..%2Fup/a%2Fb#1.json');
    expect(() => recordPath('/state', '..', 'a#1')).toThrow('cannot name');
  });

  it('is replaced whole, leaving no draft', async () => {
    const path = keep({});
    keep({ attempt: 2 });
    expect(readRecord(path)?.attempt).toBe(2);
    expect(await readdir(dirname(path))).toEqual(['node#1.json']);
  });
});

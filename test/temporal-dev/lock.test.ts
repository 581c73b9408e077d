// The lock: one holder, also when its former owner was killed and many want it at once. Real processes.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { lockOwner, tryLock } from '../../temporal-dev/lock.js';
import { clearPlaces, compiledTemporalDev, freshFolder } from './place.js';

let program: string;
beforeAll(() => {
  const dir = compiledTemporalDev();
  program = join(dir, 'contend.mjs');
  // takes the lock when it can, and appends to one file at the start and the end of each time it holds it
  writeFileSync(
    program,
    `import { appendFileSync } from 'node:fs';
     import { tryLock } from './temporal-dev/lock.js';
     const [lock, log, times] = process.argv.slice(2);
     for (let n = 0; n < Number(times); ) {
       const attempt = await tryLock(lock, 'contender');
       if (!attempt.taken) continue;
       appendFileSync(log, '(');
       await new Promise((resolve) => setTimeout(resolve, 3));
       appendFileSync(log, ')');
       n++;
       if (times === '1') { console.log('held'); await new Promise(() => setInterval(() => {}, 1000)); }
       await attempt.release();
     }`,
  );
});
afterAll(clearPlaces);

/** A process that holds the lock until it is killed. Wrapped: an async function would wait for the end of a bare one. */
async function holder(lock: string) {
  const child = execa(process.execPath, [program, lock, `${lock}.log`, '1'], { reject: false });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return { pid: child.pid, kill: () => child.kill('SIGKILL') && child };
}

describe('tryLock', () => {
  it('gives the lock to one, names it to the next, and is free after the release', async () => {
    const dir = join(freshFolder(), 'lock');
    const first = await tryLock(dir, 'first');
    if (!first.taken) throw new Error('not taken');
    expect(await tryLock(dir, 'second')).toMatchObject({ taken: false, owner: { pid: process.pid, label: 'first' } });
    expect(await lockOwner(dir)).toMatchObject({ label: 'first' });
    await first.release();
    expect(await lockOwner(dir)).toBeUndefined();
    expect((await tryLock(dir, 'third')).taken).toBe(true);
  });

  it('is free when its owner was killed', async () => {
    const dir = join(freshFolder(), 'lock');
    const child = await holder(dir);
    expect(await tryLock(dir, 'test')).toMatchObject({ taken: false, owner: { pid: child.pid, label: 'contender' } });
    await child.kill();
    expect((await tryLock(dir, 'test')).taken).toBe(true);
  });

  it('is free when its owner is a process with the same pid that started at another time', async () => {
    const dir = freshFolder();
    writeFileSync(join(dir, '7'), JSON.stringify({ pid: process.pid, start: 'long ago', label: 'old' }));
    expect((await tryLock(dir, 'test')).taken).toBe(true);
    expect(readdirSync(dir)).toEqual(['8']);
  });

  it.each([['empty'], ['half', '{"pid": 1'], ['of another shape', '{"owner": 1}']])(
    'is free when its file is %s',
    async (_name, text = '') => {
      const dir = join(freshFolder(), 'lock');
      mkdirSync(dir);
      writeFileSync(join(dir, '1'), text);
      expect((await tryLock(dir, 'test')).taken).toBe(true);
    },
  );

  it('is never held by two of several processes that fight for it, a killed one among them', async () => {
    const dir = join(freshFolder(), 'lock');
    const log = `${dir}.times`;
    const dead = await holder(dir);
    const fighters = [1, 2, 3].map(() => execa(process.execPath, [program, dir, log, '15']));
    await Promise.all([...fighters, dead.kill()]);
    const { stdout } = await execa('cat', [log]);
    expect(stdout).toBe('()'.repeat(45));
  });

  it('has no owner where it was never taken', async () => {
    expect(await lockOwner(join(freshFolder(), 'none'))).toBeUndefined();
  });
});

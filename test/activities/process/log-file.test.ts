// The log of one attempt on a real disk.

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogFile } from '../../../activities/process/log-file.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-log-'));
  path = join(folder, 'logs', 'node.1.1.log');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('LogFile', () => {
  it('keeps lines in order, masked, in a folder that it makes', async () => {
    const log = new LogFile({ path, secrets: ['hunter22'] });
    for (let n = 0; n < 1_000; n += 1) await log.line(`${n} hunter22`);
    expect(await log.close()).toEqual({ droppedBytes: 0 });
    expect(await readFile(path, 'utf8')).toBe(Array.from({ length: 1_000 }, (_, n) => `${n} ***\n`).join(''));
  });

  it('goes on behind what an attempt of this number wrote before', async () => {
    for (const line of ['one', 'two']) {
      const log = new LogFile({ path });
      void log.line(line);
      await log.close();
    }
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  });

  it('keeps at most two files of the size given, the newest lines last, and counts what went', async () => {
    const log = new LogFile({ path, maxBytes: 1_000 });
    for (let n = 0; n < 100; n += 1) {
      await log.line(`${String(n).padStart(3, '0')} ${'x'.repeat(45)}`);
      // one write for each, so that the size is looked at between them
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { droppedBytes } = await log.close();
    const kept = (await readFile(`${path}.1`, 'utf8')) + (await readFile(path, 'utf8'));
    expect((await stat(path)).size).toBeLessThanOrEqual(1_000);
    expect((await stat(`${path}.1`)).size).toBeLessThanOrEqual(1_000);
    expect(kept.endsWith(`099 ${'x'.repeat(45)}\n`)).toBe(true);
    expect(droppedBytes + Buffer.byteLength(kept)).toBe(100 * 50);
  });

  it('cuts a line that is longer than half a file, and says so', async () => {
    const log = new LogFile({ path, maxBytes: 1_000 });
    void log.line('y'.repeat(5_000));
    await log.close();
    expect(await readFile(path, 'utf8')).toBe(`${'y'.repeat(500)}… [cut, 5000 characters]\n`);
  });

  it('lets its writer wait when the disk is behind', async () => {
    const log = new LogFile({ path });
    let waited = false;
    const first = log.line('a');
    const big = log.line('b'.repeat(2 * 1024 * 1024)).then(() => (waited = true));
    await first;
    expect(waited).toBe(false);
    await big;
    expect((await stat(path)).size).toBe(2 * 1024 * 1024 + 3);
    await log.close();
  });

  it('survives a disk that refuses: the failure is told at the end, with what was lost', async () => {
    await writeFile(join(folder, 'logs'), 'a file where the folder should be');
    const log = new LogFile({ path });
    await log.line('lost');
    const summary = await log.close();
    expect(summary).toMatchObject({ droppedBytes: 5, failure: { message: expect.stringContaining(path) } });
  });
});

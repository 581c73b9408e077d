// The host's id: made once, the same for all who ask, never replaced in silence.

import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isId, queues } from '../../model/ids.js';
import { hostId } from '../../workers/host.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-host-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe('the host id', () => {
  it('is made on first use and stays', async () => {
    const state = join(dir, 'new', 'state');
    const first = await hostId(state);
    expect(isId(first)).toBe(true);
    expect(await hostId(state)).toBe(first);
    expect(await readFile(join(state, 'host-id'), 'utf8')).toBe(`${first}\n`);
    expect((await stat(join(state, 'host-id'))).mode & 0o777).toBe(0o600);
    expect(queues.host('sluice', first)).toBe(`sluice/host/${first}`);
  });

  it('is the same for twenty who start at once, and nothing is left beside it', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => hostId(dir)));
    expect(new Set(ids).size).toBe(1);
    expect(await readdir(dir)).toEqual(['host-id']);
  });

  it('differs between state folders', async () => {
    expect(await hostId(join(dir, 'a'))).not.toBe(await hostId(join(dir, 'b')));
  });

  it.each(['', 'not an id', '../up'])('is never replaced when its file holds %j', async (content) => {
    await writeFile(join(dir, 'host-id'), content);
    await expect(hostId(dir)).rejects.toThrow(join(dir, 'host-id'));
    expect(await readFile(join(dir, 'host-id'), 'utf8')).toBe(content);
  });
});

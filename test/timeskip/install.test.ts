// How the time-skipping server comes into the cache: a program in Maven's place shows what happens to what it brings.

import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { installTestServer, missingTool, testServerFolder } from '../../scripts/install-test-server.mjs';
import { describeInTime } from '../support/time-server.js';

let dir: string;
let cache: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-jars-'));
  cache = join(dir, 'cache');
  await mkdir(join(dir, 'bin'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Puts a program in the place of `name`. */
async function program(name: string, body: string): Promise<void> {
  const path = join(dir, 'bin', name);
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
}

/** Maven, as far as it is used: finds its output folder `$to` and does `body` there. */
function maven(body: string): Promise<void> {
  return program('mvn', `for a in "$@"; do case "$a" in -DoutputDirectory=*) to="\${a#*=}";; esac; done\n${body}`);
}

const env = () => ({ ...process.env, PATH: `${join(dir, 'bin')}${delimiter}${process.env.PATH ?? ''}` });

/** Everything below the cache but empty folders. */
const inCache = async () => (await readdir(cache, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

describe('the installation of the time-skipping server', () => {
  it('refuses what its list does not name, and keeps nothing of it', async () => {
    await maven('echo other >"$to/other.jar"');
    await expect(installTestServer(cache, env())).rejects.toThrow(/not what test-server\.sha256 lists:[^]*found \w+ {2}other\.jar/);
    expect(await inCache()).toEqual([]);
  });

  it('keeps nothing of a download that broke off, and says what Maven said', async () => {
    await maven('echo half >"$to/half.jar"; echo "no route to the repository"; exit 1');
    await expect(installTestServer(cache, env())).rejects.toThrow('no route to the repository');
    expect(await inCache()).toEqual([]);
  });

  it('removes what a killed installation left behind', async () => {
    const left = `${testServerFolder(cache)}.part-999999999`;
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'half.jar'), 'half');
    await maven('exit 1');
    await expect(installTestServer(cache, env())).rejects.toThrow();
    expect(await inCache()).toEqual([]);
  });

  it('names the first tool that is missing', async () => {
    const only = { PATH: join(dir, 'bin') };
    expect(await missingTool(cache, only)).toContain('java is not installed');
    await program('java', 'exit 0');
    expect(await missingTool(cache, only)).toContain('mvn is not installed');
    await program('mvn', 'exit 0');
    expect(await missingTool(cache, only)).toBeUndefined();
  });
});

describeInTime('the time-skipping server in the cache', () => {
  it('is fetched once, and again when a jar was damaged', async () => {
    const real = process.env.SLUICE_TEST_TIME_JARS ?? '';
    await maven(`echo x >>"${join(dir, 'calls')}"; cp "${real}"/*.jar "$to"`);
    const folder = await installTestServer(cache, env());
    expect(await installTestServer(cache, env())).toBe(folder);
    const calls = () => readFile(join(dir, 'calls'), 'utf8');
    expect(await calls()).toBe('x\n');
    const [jar = ''] = await readdir(folder);
    await writeFile(join(folder, jar), 'damaged');
    await installTestServer(cache, env());
    expect(await calls()).toBe('x\nx\n');
  });
});

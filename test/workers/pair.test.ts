// The pair of server and workers in one process: what it leaves on disk, what ends it, what it finds of a killed one.
// Real dev servers; the workers are a promise, as the pair sees them. The whole, with real workers, is in test/cli/dev.test.ts.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Tried } from '../../model/errors.js';
import { cacheDir, statePaths } from '../../model/paths.js';
import { locateCli } from '../../temporal-dev/locate.js';
import { lockOwner } from '../../temporal-dev/lock.js';
import { choosePort } from '../../temporal-dev/ports.js';
import { isRunning } from '../../temporal-dev/process-identity.js';
import { startDevServer } from '../../temporal-dev/server.js';
import { answers } from '../../temporal-dev/serving.js';
import { ensureEmbedded, readDevInfo, runPair, stopPair, type DevInfo, type PairOptions } from '../../workers/pair.js';
import { recordServer } from '../../workers/pair/dev-info.js';
import { clearPlaces, freshFolder } from '../temporal-dev/place.js';
import { until } from '../support/until.js';

const CACHE = cacheDir({ env: process.env, home: homedir() });

interface Running {
  stateDir: string;
  ended: Promise<Tried<undefined>>;
  ready: DevInfo[];
  lines: string[];
  stop(): Promise<Tried<undefined>>;
}

const running: Running[] = [];
afterEach(async () => void (await Promise.all(running.splice(0).map((pair) => pair.stop()))));
afterAll(clearPlaces);

/** Workers that end when they are asked to. */
const idleWorkers: PairOptions['startWorkers'] = async () => {
  let end = (): void => {};
  const done = new Promise<void>((resolve) => (end = resolve));
  return { host: 'test', done, shutdown: () => Promise.resolve(end()).then(() => done) };
};

/** Not the usual one: test files run beside each other, and one would take it in a moment in which the other's server is away. */
const PORT = 17_233;

async function runOnOwnPort(options: PairOptions): Promise<Tried<undefined>> {
  return runPair({ ...options, port: options.port ?? (await choosePort(PORT, '127.0.0.1')) });
}

function start(options: Partial<PairOptions> = {}): Running {
  const stop = new AbortController();
  const stateDir = options.stateDir ?? freshFolder();
  const [ready, lines]: [DevInfo[], string[]] = [[], []];
  const ended = runOnOwnPort({
    stateDir,
    cacheDir: CACHE,
    env: process.env,
    mode: 'foreground',
    signal: stop.signal,
    startWorkers: idleWorkers,
    onReady: (info) => ready.push(info),
    say: (line) => lines.push(line),
    log: (line) => lines.push(line),
    ...options,
  });
  const pair: Running = {
    stateDir,
    ended,
    ready,
    lines,
    stop: () => (stop.abort('SIGTERM'), ended.catch(() => ({ ok: true, value: undefined }))),
  };
  running.push(pair);
  return pair;
}

async function ready(pair: Running, times = 1): Promise<DevInfo> {
  await Promise.race([
    until(() => pair.ready.length >= times, 60_000),
    pair.ended.then((end) => Promise.reject(new Error(JSON.stringify(end)))),
  ]);
  return pair.ready[times - 1]!;
}

const serverOf = ({ serverPid, serverStart }: DevInfo) => ({ pid: serverPid, start: serverStart });

describe('the pair', () => {
  it('tells where it is when it is ready, and takes everything away when it ends, the workers first', async () => {
    let servedAtHandOver: boolean | undefined;
    const startWorkers: PairOptions['startWorkers'] = async ({ address, namespace, fleet }) => {
      expect({ namespace, fleet }).toEqual({ namespace: 'default', fleet: 'sluice' });
      const workers = await idleWorkers({} as Parameters<typeof idleWorkers>[0]);
      const shutdown = async (): Promise<void> => {
        servedAtHandOver = await answers(address);
        await workers.shutdown();
      };
      return { ...workers, shutdown };
    };
    const pair = start({ startWorkers });
    const info = await ready(pair);
    expect(await readDevInfo(pair.stateDir)).toEqual(info);
    expect(info).toMatchObject({ pid: process.pid, mode: 'foreground', ephemeral: false, version: expect.stringMatching(/^\d+\.\d+\./) });
    expect(await answers(info.address)).toBe(true);
    expect(existsSync(statePaths(pair.stateDir).devDatabase)).toBe(true);
    expect(await pair.stop()).toEqual({ ok: true, value: undefined });
    expect(servedAtHandOver).toBe(true);
    expect(await isRunning(serverOf(info))).toBe(false);
    expect(await readDevInfo(pair.stateDir)).toBeUndefined();
    expect(await lockOwner(statePaths(pair.stateDir).devLock)).toBeUndefined();
  });

  it.each(['foreground', 'embedded'] as const)('refuses a second one (%s) and names the process of the first', async (mode) => {
    const first = start();
    await ready(first);
    const second = start({ stateDir: first.stateDir, mode });
    const message = `a dev server already runs in the foreground as process ${process.pid}; use it, or end it with \`sluice down\``;
    expect(await second.ended).toEqual({ ok: false, refusal: { code: 'refused', message } });
    expect(first.ready).toHaveLength(1);
  });

  it('starts a killed server again, at the same address', async () => {
    const pair = start();
    const before = await ready(pair);
    process.kill(before.serverPid, 'SIGKILL');
    const after = await ready(pair, 2);
    expect(after.address).toBe(before.address);
    expect(after.serverPid).not.toBe(before.serverPid);
    expect(await answers(after.address)).toBe(true);
    expect(await readDevInfo(pair.stateDir)).toEqual(after);
  });

  it('ends when its server is killed and the data was in memory', async () => {
    const pair = start({ ephemeral: true });
    const info = await ready(pair);
    expect(info.ephemeral).toBe(true);
    expect(existsSync(statePaths(pair.stateDir).devDatabase)).toBe(false);
    process.kill(info.serverPid, 'SIGKILL');
    expect(await pair.ended).toMatchObject({ ok: false, refusal: { code: 'unreachable', message: expect.stringContaining('in memory') } });
  });

  it('ends the server when the workers fail', async () => {
    const broken = Promise.reject(new Error('lost a queue'));
    broken.catch(() => {}); // it is told by the pair
    const pair = start({ ephemeral: true, startWorkers: async () => ({ host: 'test', done: broken, shutdown: () => broken }) });
    expect(await pair.ended).toMatchObject({ ok: false, refusal: { code: 'defect', message: 'the workers failed: lost a queue' } });
    expect(await isRunning(serverOf(await ready({ ...pair, ended: new Promise(() => {}) })))).toBe(false);
  });

  it('leaves nothing when the workers do not start', async () => {
    let address = '';
    const startWorkers: PairOptions['startWorkers'] = async (options) => {
      address = options.address;
      throw new Error('no guard');
    };
    const pair = start({ ephemeral: true, startWorkers });
    await expect(pair.ended).rejects.toThrow('no guard');
    expect(await answers(address)).toBe(false);
    expect(await lockOwner(statePaths(pair.stateDir).devLock)).toBeUndefined();
  });

  it('refuses a port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect(await start({ port }).ended).toMatchObject({
      ok: false,
      refusal: { code: 'usage', message: expect.stringContaining(String(port)) },
    });
    await new Promise((resolve) => other.close(resolve));
  });

  it('refuses with what to do when there is no CLI, and touches nothing', async () => {
    const pair = start({ env: { SLUICE_TEMPORAL_CLI: '/nonexistent' } });
    expect(await pair.ended).toMatchObject({
      ok: false,
      refusal: { code: 'unreachable', message: expect.stringContaining('SLUICE_TEMPORAL_CLI') },
    });
    expect(existsSync(statePaths(pair.stateDir).dev)).toBe(false);
  });
});

/** What `kill -9` of a pair leaves: its server, its record, and a dev.json whose process is gone. */
async function killedPair(stateDir: string, recorded = true) {
  const cli = await locateCli({ env: process.env, cacheDir: CACHE });
  if ('refused' in cli) throw new Error(cli.refused);
  mkdirSync(statePaths(stateDir).dev, { recursive: true });
  const dbFile = statePaths(stateDir).devDatabase;
  const onSpawn = async (server: { pid: number; start: string }): Promise<void> => (recorded ? recordServer(stateDir, server) : undefined);
  const server = await startDevServer({ cli: cli.path, port: 0, dbFile, searchAttributes: {}, onSpawn });
  const info = { pid: process.pid, start: 'another', serverPid: server.pid, serverStart: server.start, address: server.address };
  writeFileSync(statePaths(stateDir).devInfo, JSON.stringify(info));
  return server;
}

describe('after the kill of a pair', () => {
  it.each([
    ['on record', true],
    ['that its owner had no time to record', false],
  ])('a server %s is ended before the database is opened again', async (_name, recorded) => {
    const stateDir = freshFolder();
    const left = await killedPair(stateDir, recorded);
    const pair = start({ stateDir });
    const info = await ready(pair);
    expect(await isRunning(left)).toBe(false);
    expect(pair.lines).toContain(`ended the dev server that a killed one left behind (process ${left.pid})`);
    expect(await answers(info.address)).toBe(true);
  });

  it('`stopPair` ends the server that is left, and keeps the database unless it is told to purge', async () => {
    const stateDir = freshFolder();
    const left = await killedPair(stateDir);
    expect(await stopPair({ stateDir })).toEqual({ ended: [], orphans: [left.pid], purged: [] });
    expect(await isRunning(left)).toBe(false);
    const { devDatabase } = statePaths(stateDir);
    expect(existsSync(devDatabase)).toBe(true);
    expect((await stopPair({ stateDir, purge: true })).purged).toContain(devDatabase);
    expect(existsSync(devDatabase) || existsSync(`${devDatabase}-wal`)).toBe(false);
    expect(await stopPair({ stateDir, purge: true })).toEqual({ ended: [], orphans: [], purged: [] });
  });

  it('a record that was cut says as little as none', async () => {
    const stateDir = freshFolder();
    mkdirSync(statePaths(stateDir).dev, { recursive: true });
    writeFileSync(statePaths(stateDir).devInfo, '{"pid": 12');
    writeFileSync(`${statePaths(stateDir).dev}/server.json`, '');
    expect(await readDevInfo(stateDir)).toBeUndefined();
    expect(await stopPair({ stateDir })).toEqual({ ended: [], orphans: [], purged: [] });
  });
});

describe('ensureEmbedded', () => {
  const options = (stateDir: string) => ({ stateDir, cacheDir: CACHE, env: process.env, say: () => {} });

  it('finds a pair that runs, in the foreground too, and starts none', async () => {
    const pair = start();
    const { address } = await ready(pair);
    const command = [process.execPath, '-e', 'process.exit(1)'];
    expect(await ensureEmbedded({ ...options(pair.stateDir), command })).toEqual({ ok: true, value: { address, started: false } });
  });

  it('waits for one that is starting', async () => {
    const pair = start();
    await until(() => lockOwner(statePaths(pair.stateDir).devLock));
    const waiting = ensureEmbedded({ ...options(pair.stateDir), command: [process.execPath, '-e', 'process.exit(1)'] });
    const { address } = await ready(pair);
    expect(await waiting).toEqual({ ok: true, value: { address, started: false } });
  });

  it('shows the last words of a process that does not come up', async () => {
    const stateDir = freshFolder();
    mkdirSync(statePaths(stateDir).dev, { recursive: true });
    writeFileSync(statePaths(stateDir).devLog, 'of an earlier start\n');
    const command = [process.execPath, '-e', 'console.error("first\\nno space left"); process.exit(1)'];
    const result = await ensureEmbedded({ ...options(stateDir), command });
    const message = `the dev server in the background did not start: no space left; see ${statePaths(stateDir).devLog}`;
    expect(result).toEqual({ ok: false, refusal: { code: 'unreachable', message, cause: 'first\nno space left' } });
  });
});

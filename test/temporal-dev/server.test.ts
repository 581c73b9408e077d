// The dev server itself: what it is set to, which ports it takes, how it ends. Real servers.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { locateCli } from '../../temporal-dev/locate.js';
import { isRunning } from '../../temporal-dev/process-identity.js';
import { DevServerError, startDevServer, type DevServer, type DevServerOptions } from '../../temporal-dev/server.js';
import { answers } from '../../temporal-dev/serving.js';
import { until } from '../support/until.js';
import { clearPlaces, freshFolder, userCache } from './place.js';

const started: DevServer[] = [];
let cli: string;

beforeAll(async () => {
  const located = await locateCli({ env: process.env, cacheDir: userCache() });
  if ('refused' in located) throw new Error(located.refused);
  cli = located.path;
}, 300_000);
afterEach(async () => void (await Promise.all(started.splice(0).map((server) => server.stop()))));
afterAll(clearPlaces);

async function start(options: Partial<DevServerOptions> = {}): Promise<DevServer> {
  const server = await startDevServer({ cli, port: 0, searchAttributes: { SluiceState: 'Keyword' }, ...options });
  started.push(server);
  return server;
}

async function withClient<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

async function withTakenPort<T>(use: (port: number) => Promise<T>): Promise<T> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    return await use((other.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
}

const startRun = (client: Client, workflowId: string) => client.workflow.start('nothing', { taskQueue: 'nobody', workflowId });

describe('startDevServer', () => {
  it('serves at once: runs start, retention is 30 days, search attributes are known, the page is there', async () => {
    const server = await start({ searchAttributes: { SluiceState: 'Keyword', SluiceWaiting: 'Int' } });
    await withClient(server.address, async (client) => {
      expect((await startRun(client, 'run/first')).workflowId).toBe('run/first');
      const namespace = await client.workflowService.describeNamespace({ namespace: 'default' });
      expect(Number(namespace.config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 86_400);
      const { customAttributes } = await client.connection.operatorService.listSearchAttributes({ namespace: 'default' });
      expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(['SluiceState', 'SluiceWaiting']));
    });
    expect((await fetch(server.uiUrl)).status).toBe(200);
  });

  it('is tuned, and its database too', async () => {
    const dbFile = join(freshFolder(), 'temporal.db');
    const server = await start({ dbFile });
    expect(existsSync(`${dbFile}-wal`)).toBe(true);
    if (process.platform !== 'linux') return; // elsewhere the command line of a process is not a file
    const args = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').split('\0');
    for (const setting of [
      'history.transferProcessorMaxPollRPS=2000',
      'history.timerProcessorMaxPollRPS=2000',
      'history.maximumBufferedEventsBatch=2000',
      'journal_mode=wal',
      'synchronous=1',
    ])
      expect(args).toContain(setting);
  });

  it('tells who it is as soon as there is a process, and is gone after stop', async () => {
    let seen: { pid: number; start: string } | undefined;
    const onSpawn = async (server: { pid: number; start: string }): Promise<void> => {
      seen = server;
      expect(await isRunning(server)).toBe(true);
    };
    const server = await start({ onSpawn });
    expect({ pid: server.pid, start: server.start }).toEqual(seen);
    await server.stop();
    expect(await isRunning(server)).toBe(false);
    expect(await answers(server.address)).toBe(false);
    expect(await server.exited).toMatchObject({ code: 0 });
    await server.stop(); // once more is no fault
  });

  it('takes another port, and another for its page, when they are taken', async () => {
    await withTakenPort(async (port) => {
      const server = await start({ port });
      expect(server.address).not.toBe(`127.0.0.1:${port}`);
      expect(await answers(server.address)).toBe(true);
    });
    await withTakenPort(async (uiPort) => {
      const server = await start({ uiPort });
      expect(server.uiUrl).not.toBe(`http://127.0.0.1:${uiPort}`);
      expect((await fetch(server.uiUrl)).status).toBe(200);
    });
  });

  it('tries another port when the CLI finds only in its own start that the port was taken', async () => {
    const folder = freshFolder();
    const panics = `panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.main()`;
    const once = join(folder, 'temporal');
    // the first start of it panics as 1.9.1 does; then it is the real one
    writeFileSync(
      once,
      `#!/bin/sh\nif mkdir '${folder}/began' 2>/dev/null; then printf '%s\\n' '${panics.replaceAll('\n', "' '")}' >&2; exit 2; fi\nexec '${cli}' "$@"\n`,
      { mode: 0o755 },
    );
    const server = await start({ cli: once });
    expect(await answers(server.address)).toBe(true);
  });

  it('takes no other port when it must not', async () => {
    await withTakenPort(async (port) => {
      await expect(start({ port, portFixed: true })).rejects.toThrow(`port ${port} of 127.0.0.1 is taken`);
    });
  });

  it('keeps its data over kill -9, and takes a search attribute that is new', async () => {
    const dbFile = join(freshFolder(), 'temporal.db');
    const first = await start({ dbFile });
    await withClient(first.address, (client) => startRun(client, 'run/kept'));
    process.kill(first.pid, 'SIGKILL');
    expect(await first.exited).toMatchObject({ signal: 'SIGKILL' });
    const second = await start({ dbFile, searchAttributes: { SluiceState: 'Keyword', SluicePlan: 'Keyword' } });
    await withClient(second.address, async (client) => {
      expect((await client.workflow.getHandle('run/kept').describe()).status.name).toBe('RUNNING');
      const { customAttributes } = await client.connection.operatorService.listSearchAttributes({ namespace: 'default' });
      expect(Object.keys(customAttributes ?? {})).toContain('SluicePlan');
    });
  });

  it('writes its output to a file that is appended to', async () => {
    const logFile = join(freshFolder(), 'server.log');
    writeFileSync(logFile, 'before\n');
    const server = await start({ logFile });
    expect(await until(() => /^before\n[^]*Temporal Server/.test(readFileSync(logFile, 'utf8')))).toBe(true);
    await server.stop();
  });
});

describe('a server that cannot start', () => {
  it.each([
    ['in memory', undefined],
    ['to a file', 'server.log'],
  ])('is told with its own last words, logged %s', async (_name, log) => {
    const logFile = log && join(freshFolder(), log);
    const failed: unknown = await start({ dbFile: '/nonexistent/temporal.db', logFile }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(DevServerError);
    expect((failed as DevServerError).message).toMatch(
      /^the dev server did not start: exit code 1: Error: .*\/nonexistent: no such file or directory$/,
    );
    expect((failed as DevServerError).tail).toContain('no such file or directory');
  });

  it('is told when the CLI cannot be run', async () => {
    await expect(start({ cli: '/nonexistent/temporal' })).rejects.toThrow(/the dev server did not start: .*ENOENT/);
  });

  it('is not left behind when its record cannot be written', async () => {
    let pid = 0;
    const onSpawn = async (server: { pid: number }): Promise<void> => {
      pid = server.pid;
      throw new Error('disk full');
    };
    await expect(start({ onSpawn })).rejects.toThrow('disk full');
    expect(() => process.kill(pid, 0)).toThrow();
  });
});

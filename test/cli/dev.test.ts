// `sluice dev` and `sluice down` as processes, and the pair in the background: who yields to whom, what a kill leaves, what is kept.
// Real servers and workers; a state folder of its own for each test.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { execa } from 'execa';
import { cacheDir, statePaths } from '../../model/paths.js';
import { isRunning } from '../../temporal-dev/process-identity.js';
import { ensureEmbedded, readDevInfo, stopPair, type DevInfo } from '../../workers/pair.js';
import { ROOT } from '../support/build.mjs';
import { until } from '../support/until.js';

const SLUICE = [process.execPath, join(ROOT, 'dist/cli/main.js')] as const;
const CACHE = cacheDir({ env: process.env, home: homedir() });

// several starts of servers and workers a test, each of them seconds on a busy machine
jest.setTimeout(150_000);

let home: string;
let state: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-cli-dev-'));
  state = join(home, 'state');
  // agents of a test get a second to stop, not 25
  env = { PATH: process.env.PATH, HOME: home, SLUICE_STATE_DIR: state, SLUICE_CACHE_DIR: CACHE, SLUICE_SHUTDOWN_GRACE: '1' };
});
afterEach(async () => {
  await stopPair({ stateDir: state });
  rmSync(home, { recursive: true, force: true });
});

function sluice(...args: string[]) {
  const [node, main] = SLUICE;
  return execa(node, [main, ...args], { env, extendEnv: false, cwd: home, reject: false, detached: true, cleanup: false });
}

/** Waits for a pair other than `not`, with its workers polling. */
async function pair(not?: DevInfo): Promise<DevInfo> {
  const other = async (): Promise<DevInfo | undefined> => {
    const info = await readDevInfo(state);
    return info && info.pid !== not?.pid && info.serverPid !== not?.serverPid ? info : undefined;
  };
  return until(other, 60_000);
}

const background = () =>
  ensureEmbedded({ stateDir: state, cacheDir: CACHE, env, say: () => {}, command: [...SLUICE, 'dev', '--embedded'] });

async function withClient<T>({ address }: DevInfo, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

/** Something that only this database knows. */
const leaveTrace = (info: DevInfo) =>
  withClient(info, (client) => client.workflow.start('nothing', { taskQueue: 'nobody', workflowId: 'run/trace' }));
const traceIn = (info: DevInfo) =>
  withClient(info, async (client) => (await client.workflow.getHandle('run/trace').describe()).status.name);

async function expectGone(info: DevInfo): Promise<void> {
  expect(await isRunning(info)).toBe(false);
  expect(await isRunning({ pid: info.serverPid, start: info.serverStart })).toBe(false);
}

describe('sluice dev', () => {
  it('serves with a worker until Ctrl-C, which reaches its whole group, and ends with 130', async () => {
    const dev = sluice('dev');
    const info = await pair();
    expect(info).toMatchObject({ pid: dev.pid, mode: 'foreground' });
    const polled = await withClient(info, (client) =>
      client.workflowService.describeTaskQueue({ namespace: 'default', taskQueue: { name: 'sluice' }, taskQueueType: 1 }),
    );
    expect(polled.pollers?.length).toBeGreaterThan(0);
    process.kill(-dev.pid!, 'SIGINT');
    const { exitCode, stdout, stderr } = await dev;
    expect(stdout).toContain(`serves at ${info.address}`);
    expect(stdout).toContain(info.uiUrl);
    expect(stderr).toContain('stopping: ');
    expect(stderr).not.toContain('ended by itself');
    expect(exitCode).toBe(130);
    await expectGone(info);
    expect(await readDevInfo(state)).toBeUndefined();
  });

  it('in JSON says one document when it is ready and one when it ends, with 143 after SIGTERM', async () => {
    const dev = sluice('dev', '--ephemeral', '--json', '--quiet');
    const info = await pair();
    dev.kill('SIGTERM');
    const { exitCode, stdout } = await dev;
    expect(stdout.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([{ ready: info }, { ended: 'SIGTERM' }]);
    expect(exitCode).toBe(143);
    expect(existsSync(statePaths(state).devDatabase)).toBe(false);
  });

  it('is refused beside another in the foreground, with its pid and exit code 4', async () => {
    const first = sluice('dev');
    const info = await pair();
    const { exitCode, stderr } = await sluice('dev');
    expect(stderr).toContain(`already runs in the foreground as process ${first.pid}`);
    expect(exitCode).toBe(4);
    expect(await isRunning(info)).toBe(true);
  });

  it('takes over from the pair in the background, with its database', async () => {
    await background();
    const before = await pair();
    await leaveTrace(before);
    const dev = sluice('dev');
    const after = await pair(before);
    expect(after).toMatchObject({ pid: dev.pid, mode: 'foreground' });
    await expectGone(before);
    expect(await traceIn(after)).toBe('RUNNING');
  });

  it.each([['0'], ['70000']])('refuses --port %s', async (port) => {
    expect(await sluice('dev', '--port', port)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('65535') });
  });
});

describe('the pair in the background', () => {
  it('is one, also when two commands start it together, and outlives them', async () => {
    const two = await Promise.all([background(), background()]);
    const info = await pair();
    expect(info.mode).toBe('embedded');
    expect(two.map((each) => each.ok && each.value.address)).toEqual([info.address, info.address]);
    expect(two.filter((each) => each.ok && each.value.started)).toHaveLength(1);
    expect(await background()).toEqual({ ok: true, value: { address: info.address, started: false } });
  });

  it.each([
    ['its owner', (info: DevInfo) => [info.pid]],
    ['owner and server', (info: DevInfo) => [info.pid, info.serverPid]],
  ])('comes back with its data after kill -9 of %s', async (_name, victims) => {
    await background();
    const before = await pair();
    await leaveTrace(before);
    for (const pid of victims(before)) process.kill(pid, 'SIGKILL');
    await until(async () => !(await isRunning(before)));
    expect(await background()).toMatchObject({ ok: true, value: { started: true } });
    const after = await pair(before);
    await expectGone(before);
    expect(await traceIn(after)).toBe('RUNNING');
  });
});

describe('sluice down', () => {
  it('ends the pair, keeps its database, and says so', async () => {
    await background();
    const info = await pair();
    const { exitCode, stdout } = await sluice('down');
    expect(stdout).toBe(`ended the dev server and worker in the background (process ${info.pid})`);
    expect(exitCode).toBe(0);
    await expectGone(info);
    expect(existsSync(statePaths(state).devDatabase)).toBe(true);
  });

  it('--purge removes the database, and in JSON tells every file', async () => {
    await background();
    const info = await pair();
    const { stdout } = await sluice('down', '--purge', '--json');
    const { devDatabase } = statePaths(state);
    expect(JSON.parse(stdout)).toMatchObject({
      ended: [{ pid: info.pid, mode: 'embedded', how: 'ended' }],
      purged: expect.arrayContaining([devDatabase]),
    });
    expect(existsSync(devDatabase)).toBe(false);
  });

  it('ends one in the foreground too', async () => {
    const dev = sluice('dev');
    await pair();
    expect((await sluice('down')).stdout).toBe(`ended the dev server and worker in the foreground (process ${dev.pid})`);
    expect((await dev).exitCode).toBe(143);
  });

  it('is no fault when there is nothing to end', async () => {
    expect(await sluice('down', '--purge')).toMatchObject({ exitCode: 0, stdout: 'no dev server is running', stderr: '' });
    expect(existsSync(state)).toBe(false);
  });
});

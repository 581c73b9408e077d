// Which Temporal is used, and what is said when it does not answer. No server is needed: the ports are closed ones.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { connect, payloadDirOf } from '../../client/connect.js';
import { temporalSettings } from '../../client/temporal-config.js';
import { statePaths } from '../../model/paths.js';

let home: string;
let state: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-connect-'));
  state = join(home, 'state');
});
afterEach(() => rm(home, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const where = (env: Record<string, string> = {}) => ({
  home,
  env: { SLUICE_STATE_DIR: state, XDG_CONFIG_HOME: join(home, 'config'), ...env },
});
const profile = (): string => join(home, 'config/temporalio/temporal.toml');

function found(env: Record<string, string> = {}): object {
  const settings = temporalSettings(where(env));
  if (!settings.ok) throw new Error(settings.refusal.message);
  const { source, address, namespace } = settings.value;
  return { source, address, namespace };
}

describe('which Temporal is used', () => {
  it('is none when nothing says so', () => {
    expect(found()).toEqual({ source: 'none', address: 'localhost:7233', namespace: 'default' });
  });

  it("is the dev pair's when it left its address", async () => {
    await write(statePaths(state).devInfo, JSON.stringify({ address: '127.0.0.1:7301', serverPid: process.pid }));
    expect(found()).toEqual({ source: 'dev', address: '127.0.0.1:7301', namespace: 'default' });
  });

  it.each(['', '{', '{"address":7}', '[]'])('takes a broken address file (%j) for none', async (text) => {
    await write(statePaths(state).devInfo, text);
    expect(found()).toMatchObject({ source: 'none' });
  });

  it('is the one in the environment before the dev pair', async () => {
    await write(statePaths(state).devInfo, JSON.stringify({ address: '127.0.0.1:7301' }));
    expect(found({ TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_NAMESPACE: 'team' })).toEqual({
      source: 'configured',
      address: 'temporal.example:7233',
      namespace: 'team',
    });
  });

  it("is the one in temporal.toml, which is Temporal's own file", async () => {
    await write(profile(), '[profile.default]\naddress = "cloud.example:7233"\nnamespace = "ns"\n');
    expect(found()).toEqual({ source: 'configured', address: 'cloud.example:7233', namespace: 'ns' });
  });

  it('refuses a profile that is not there', async () => {
    await write(profile(), '[profile.default]\naddress = "cloud.example:7233"\n');
    const settings = temporalSettings(where({ TEMPORAL_PROFILE: 'prod' }));
    expect(settings).toMatchObject({
      ok: false,
      refusal: { code: 'config', message: expect.stringContaining("Profile 'prod' not found") },
    });
  });
});

describe('a Temporal that does not answer', () => {
  it('is a refusal that names the address, within seconds', async () => {
    const port = await closedPort();
    const began = Date.now();
    const door = await connect(where({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` }));
    expect(door).toMatchObject({
      ok: false,
      refusal: { code: 'unreachable', message: expect.stringContaining(`127.0.0.1:${port}; it is configured by`) },
    });
    expect(Date.now() - began).toBeLessThan(6_000);
  });

  it('is not looked for at the address of a dev pair that was killed: its port may be another server now', async () => {
    const pid = await endedPid();
    await write(statePaths(state).devInfo, JSON.stringify({ address: '127.0.0.1:7301', serverPid: pid }));
    await write(`${statePaths(state).devLock}/3`, JSON.stringify({ pid }));
    const door = await connect(where());
    expect(door).toMatchObject({ ok: false, refusal: { message: expect.stringContaining('no longer runs; start it with') } });
  });

  it('is looked for again for a moment when the pair was killed: it may just be started anew', async () => {
    const pid = await endedPid();
    await write(statePaths(state).devInfo, JSON.stringify({ address: '127.0.0.1:7301', serverPid: pid }));
    const door = connect(where());
    const port = await closedPort();
    await write(statePaths(state).devInfo, JSON.stringify({ address: `127.0.0.1:${port}`, serverPid: process.pid }));
    expect(await door).toMatchObject({ ok: false, refusal: { message: expect.stringContaining(`at 127.0.0.1:${port}`) } });
  });

  it('is waited for while a dev pair that has no address yet starts', async () => {
    const pair = execa('sleep', ['60'], { reject: false });
    await write(`${statePaths(state).devLock}/1`, JSON.stringify({ pid: pair.pid }));
    expect(found()).toMatchObject({ source: 'dev' });
    const door = connect(where());
    pair.kill('SIGKILL');
    await pair;
    expect(await door).toMatchObject({ ok: false, refusal: { message: expect.stringContaining('the dev server of this machine') } });
  });

  it('tells the dev server of this machine from a configured one', async () => {
    const port = await closedPort();
    await write(statePaths(state).devInfo, JSON.stringify({ address: `127.0.0.1:${port}`, serverPid: process.pid }));
    const door = await connect(where());
    expect(door).toMatchObject({
      ok: false,
      refusal: { code: 'unreachable', message: expect.stringContaining('the dev server of this machine') },
    });
  });

  it('is not asked at all with an encryption key that cannot be used', async () => {
    const door = await connect(where({ SLUICE_ENCRYPTION_KEY: 'short' }));
    expect(door).toMatchObject({ ok: false, refusal: { code: 'config' } });
  });
});

describe('the store of large payloads', () => {
  const options = () => where();

  it('is the state folder with a server on this machine', () => {
    expect(payloadDirOf(options(), '127.0.0.1:7233')).toBe(statePaths(state).payloads);
  });

  it.each([
    ['none elsewhere', {}, undefined],
    ['none for a folder that is not said to be shared', { payloadStore: { dir: '/big' } }, undefined],
    ['the shared one of the config elsewhere', { payloadStore: { dir: '/big', shared: true } }, '/big'],
  ])('is %s', (_, config, expected) => {
    expect(payloadDirOf({ ...options(), config }, 'cloud.example:7233')).toBe(expected);
  });
});

async function endedPid(): Promise<number | undefined> {
  const ended = execa('true');
  await ended;
  return ended.pid;
}

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// A human gate, a refused journal, and how programs are stopped, as a person sees them: the built CLI, a real worker, a real server.

import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { cacheDir } from '../../model/paths.js';
import { locateCli } from '../../temporal-dev/locate.js';
import { isAlive, Place, type WorkerProcess } from '../support/place.js';
import { until } from '../support/until.js';

let place: Place;
let worker: WorkerProcess;

beforeAll(async () => {
  place = await Place.open();
  // a cancel reaches a dispatch with its next heartbeat
  await place.write('sluice.config.yaml', 'settings: { graceMs: 3000, heartbeatMs: 500 }\n');
  worker = await place.worker();
});
afterAll(async () => {
  await place.close();
});

const GATE =
  'version: 1\nname: gate\nnodes:\n  a: { run: [echo, a] }\n  ok: { human: "Ship it?", needs: [a] }\n  z: { run: [touch, z.ran], needs: [ok] }\n';

describe('a plan with a human gate', () => {
  it('waits with exit 1, is in the inbox, survives a restart, and goes on when it is answered', async () => {
    await place.write('gate.yaml', GATE);
    const said = await place.cli('run', 'gate.yaml', '--id', 'gate-1', '--exit-on-wait');
    expect(said.code).toBe(1);
    expect(said.out + said.err).toContain('sluice attest gate-1 ok');
    const inbox = await until(async () => {
      const { out } = await place.cli('waiting');
      return out.includes('gate-1') && out;
    });
    expect(inbox).toContain('Ship it?');
    worker.kill('SIGTERM');
    await worker.ended;
    worker = await place.worker();
    expect(await place.status('gate-1')).toMatchObject({ state: 'waiting', waiting: [{ reference: 'ok', unblocks: ['z'] }] });
    const run = place.start(['run', 'gate.yaml', '--id', 'gate-1']);
    expect((await run).exitCode).not.toBe(0);
    expect((await place.cli('attest', 'gate-1', 'ok', '--note', 'go')).code).toBe(0);
    expect((await place.wait('gate-1')).code).toBe(0);
    expect((await place.cli('attest', 'gate-1', 'ok')).code).toBe(4);
  }, 120_000);

  it('takes the same signal from the Temporal CLI', async () => {
    const env = { ...process.env, HOME: homedir() };
    const found = await locateCli({ env, cacheDir: cacheDir({ env, home: homedir() }) });
    if (!('path' in found)) throw new Error(found.refused);
    const run = await place.run(GATE);
    await place.untilWaiting(run);
    const args = [
      'workflow',
      'signal',
      '--address',
      place.env.TEMPORAL_ADDRESS ?? '',
      '-w',
      `run/${run}`,
      '--name',
      'attest',
      '--input',
      '{"node":"ok"}',
    ];
    await execa(found.path, args);
    expect((await place.wait(run)).code).toBe(0);
  }, 120_000);
});

describe('a journal that cannot be written', () => {
  it('stops new dispatches at the first refusal, finishes what runs, and ends failed/journal; the run answers all the while', async () => {
    const slow = 'echo started > slow.started; until [ -e slow.go ]; do sleep 0.1; done; echo done > slow.done';
    const run = await place.run(
      `version: 1\nname: full\nnodes:\n  g: { human: look }\n  slow: { run: "${slow}" }\n  b: { run: "until [ -e b.go ]; do sleep 0.1; done", needs: [g] }\n  c: { run: [touch, c.ran], needs: [b] }\n`,
    );
    await until(async () => (await place.lines('slow.started')).length === 1);
    const journal = `${place.project}/.sluice/runs/${run}/events.ndjson`;
    await until(async () => (await place.lines(`.sluice/runs/${run}/events.ndjson`)).length > 0);
    // whoever runs the tests, root too, cannot append to a folder
    await rename(journal, `${journal}.aside`);
    await mkdir(journal);
    await place.cli('attest', run, 'g');
    // a batch leaves with the first word to the run later than a second after the last answer: b must not end before one was refused
    const held = await until(async () => {
      expect((await place.cli('attest', run, 'nobody')).code).toBe(4);
      return (await place.status(run)).held;
    });
    expect(held).toMatch(/journal cannot be written.*EISDIR/);
    expect((await place.status(run)).state).toBe('running');
    await place.write('b.go', '');
    await until(async () => (await place.node(run, 'b'))?.status === 'done');
    await place.write('slow.go', '');
    expect((await place.wait(run)).code).toBe(1);
    expect(await place.lines('slow.done')).toEqual(['done']);
    expect(existsSync(`${place.project}/c.ran`)).toBe(false);
    expect(await place.json('result', run)).toMatchObject({ state: 'failed', ok: false });
  }, 120_000);
});

describe('stopping a program', () => {
  it.each([
    ['one that obeys', 'echo $$ > pid.obeys; exec sleep 300', 'pid.obeys', /stopped when it was asked/],
    [
      'one that ignores every polite signal, with a child that does too',
      'trap "" INT TERM; sh -c \'trap "" INT TERM; echo $$ > pid.deaf; while :; do sleep 1; done\'',
      'pid.deaf',
      /killed/,
    ],
  ])(
    '%s is gone, and the detail says how',
    async (_name, script, file, words) => {
      const run = await place.run(`version: 1\nname: stop\nnodes:\n  x:\n    run: ${JSON.stringify(script)}\n`);
      const [pid] = await until(async () => {
        const lines = await place.lines(file);
        return lines.length > 0 && lines.map(Number);
      });
      await place.cli('cancel', run, 'x');
      await place.wait(run);
      expect(await isAlive(pid ?? 0)).toBe(false);
      expect((await place.node(run, 'x'))?.detail).toMatch(words);
    },
    120_000,
  );
});

// `sluice run`: watching it, what refuses its start, and which run a command means. By the built CLI, on the real server and a real worker.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Place } from '../support/place.js';
import { GATE } from './gate-plan.js';

let place: Place;
beforeAll(async () => {
  place = await Place.open();
  await place.write('gate.yaml', GATE);
  await place.worker();
}, 120_000);
afterAll(() => place.close());

describe('a run that is watched without a terminal', () => {
  it('prints one line per event, then the state, and ends with 0 when it is complete', async () => {
    const said = await place.cli('run', 'gate.yaml', '--attest', 'ok', '--id', 'watched');
    expect(said).toMatchObject({ code: 0, err: '' });
    const lines = said.out.split('\n');
    expect(lines[0]).toBe('run watched started');
    expect(lines.at(-1)).toMatch(/^run watched: complete, 3 done, /);
    for (const line of lines.slice(1, -1)) expect(line).toMatch(/^\d\d:\d\d:\d\d [a-z-]+/);
    expect(lines.filter((line) => line.includes('node-settled'))).toHaveLength(3);
  });

  it('ends with 1 when a node failed, and says which and why', async () => {
    await place.write('bad.yaml', 'version: 1\nname: bad\nnodes:\n  b: { run: "exit 7" }\n  c: { run: [echo], needs: [b] }\n');
    const said = await place.cli('run', 'bad.yaml');
    expect(said.code).toBe(1);
    expect(said.out).toMatch(/: failed, 1 failed, 1 blocked/);
    expect(said.out).toMatch(/b +failed .*exit 7/);
    expect(said.out).toMatch(/c +blocked .*by b/);
  });

  it('leaves with 1 when it waits and was told --exit-on-wait, naming what is waited for and the command', async () => {
    const said = await place.cli('run', 'gate.yaml', '--exit-on-wait', '--id', 'left');
    expect(said.code).toBe(1);
    expect(said.out).toContain('run left: waiting');
    expect(said.out).toContain('ok: Look at it');
    expect(said.out).toContain('sluice attest left ok');
    await place.cli('attest', 'left', 'ok');
    expect((await place.wait('left')).code).toBe(0);
  });

  it('is left by SIGINT with 130 and goes on', async () => {
    const child = place.start(['run', 'gate.yaml', '--id', 'interrupted']);
    await place.untilWaiting('interrupted');
    child.kill('SIGINT');
    const { exitCode, stderr } = await child;
    expect(exitCode).toBe(130);
    expect(stderr).toContain('run interrupted goes on; follow it with `sluice wait interrupted`');
    expect((await place.status('interrupted')).state).toBe('waiting');
    await place.cli('cancel', 'interrupted');
    expect((await place.wait('interrupted')).code).toBe(1);
  });

  it('is one document with --json', async () => {
    expect(await place.json('run', 'gate.yaml', '--attest', 'ok')).toMatchObject({
      state: 'complete',
      ok: true,
      counts: { done: 3 },
      waiting: [],
    });
  });
});

describe('a run that cannot be started', () => {
  it('is refused when its id is taken, by an open run or a closed one', async () => {
    await place.cli('run', 'gate.yaml', '--attest', 'ok', '--id', 'once', '--quiet');
    const said = await place.cli('run', 'gate.yaml', '--id', 'once', '--detach');
    expect(said.code).toBe(2);
    expect(said.err).toContain('a run once exists already');
  });

  it('is refused for an id that cannot be one', async () => {
    expect(await place.cli('run', 'gate.yaml', '--id', 'a/b', '--detach')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--id "a/b"'),
    });
  });

  it('is refused with path and reason when the project cannot be written, and nothing is started', async () => {
    // a file where the folder should be: that stops root too
    const other = await Place.open();
    try {
      await other.write('gate.yaml', GATE);
      await other.write('.sluice', 'in the way');
      const said = await other.cli('run', 'gate.yaml', '--detach', '--id', 'nowhere');
      expect(said.code).toBe(2);
      expect(said.err).toMatch(/cannot write .*\.sluice.* \((EEXIST|ENOTDIR)\).*nothing was started/);
      expect((await other.cli('status', 'nowhere')).code).toBe(2);
    } finally {
      await other.close();
    }
  });

  it('leaves nothing behind that was written before the refusal', async () => {
    const other = await Place.open();
    try {
      // no store for large payloads, and nothing to compress: the server would not take it
      const words = Array.from({ length: 400_000 }, () => Math.random().toString(36).slice(2)).join(' ');
      await other.write('big.yaml', `version: 1\nname: big\nnodes:\n  a:\n    human: ${words}\n`);
      await mkdir(join(other.dir, 'state'), { recursive: true });
      await writeFile(join(other.dir, 'state', 'payloads'), 'in the way');
      const said = await other.cli('run', 'big.yaml', '--detach', '--id', 'big');
      expect(said.code).toBe(2);
      expect(said.err).toContain(join(other.dir, 'state', 'payloads'));
      expect(await readdir(join(other.project, '.sluice', 'runs'))).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe('which run is meant', () => {
  it('is a whole id, a unique beginning, or nothing when only one is open', async () => {
    const here = await Place.open();
    try {
      await here.write('gate.yaml', GATE);
      await here.cli('run', 'gate.yaml', '--detach', '--id', `${here.env.SLUICE_FLEET}-one`);
      const prefix = here.env.SLUICE_FLEET!;
      expect((await here.json<{ run_id: string }[]>('status', prefix).catch(() => ({}))) as object).toMatchObject({
        run_id: `${prefix}-one`,
      });
      await here.cli('run', 'gate.yaml', '--detach', '--id', `${prefix}-two`);
      const said = await here.cli('status', prefix);
      expect(said.code).toBe(2);
      expect(said.err).toMatch(/may be any of .*-(one|two), .*-(one|two)/);
      const none = await here.cli('status');
      expect(none.code).toBe(2);
      expect(none.err).toMatch(/runs are open; name one of/);
    } finally {
      await here.close();
    }
  });
});

// `sluice run` and what is done with a run afterwards, against the real server and a real worker, by the built CLI.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Place } from '../support/place.js';
import { until } from '../support/until.js';

const GATE = `version: 1
name: gate
nodes:
  before: { run: "echo one; echo two" }
  ok: { human: Look at it, needs: [before] }
  after: { run: "echo after >> after.ran", needs: [ok] }
`;

let place: Place;
beforeAll(async () => {
  place = await Place.open();
  await place.write('gate.yaml', GATE);
  await place.worker();
}, 120_000);
afterAll(() => place.close());

const waiting = (run: string) => until(async () => (await place.status(run)).state === 'waiting');

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
    await waiting('interrupted');
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

describe('a command to a run', () => {
  it('that nobody judges within 10 s is told as queued, and applied when a worker comes', async () => {
    const here = await Place.open();
    try {
      await here.write('gate.yaml', GATE);
      const said = await here.cli('run', 'gate.yaml', '--detach', '--id', `${here.env.SLUICE_FLEET}-q`);
      expect(said.err).toContain('no worker of fleet');
      const attest = await here.cli('attest', `${here.env.SLUICE_FLEET}-q`, 'ok');
      expect(attest.code).toBe(0);
      expect(attest.err).toContain('queued: no worker answers now');
    } finally {
      await here.close();
    }
  });

  it('that the run refuses ends with 4 and its reason, once it is over too', async () => {
    const run = await place.run(GATE);
    await waiting(run);
    expect(await place.cli('attest', run, 'okk')).toMatchObject({ code: 4, err: expect.stringContaining('okk') });
    expect((await place.cli('attest', run, 'ok', '--note', 'fine')).code).toBe(0);
    expect((await place.wait(run)).code).toBe(0);
    expect(await place.cli('attest', run, 'ok')).toMatchObject({ code: 4, err: expect.stringContaining('has ended (complete)') });
    expect(await place.cli('retry', run, 'after')).toMatchObject({ code: 4, err: expect.stringContaining('not yet: reopening') });
  });

  it('without what it is about names what there is to choose from', async () => {
    const run = await place.run(GATE);
    await waiting(run);
    const said = await place.cli('attest', run);
    expect(said.code).toBe(2);
    expect(said.err).toContain(`NODE is missing; run ${run} has ok`);
    await place.cli('cancel', run);
  });
});

describe('looking at a run', () => {
  let run: string;
  beforeAll(async () => {
    run = await place.run(GATE, '--home', (await place.lines('../state/host-id'))[0] ?? '');
    await waiting(run);
  });

  it('shows its events in order, by kind and after a number', async () => {
    const all = await place.events(run);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1));
    const said = await place.cli('events', run, '--json', '--kind', 'node-settled');
    expect(JSON.parse(said.out)).toMatchObject({ kind: 'node-settled', labels: { node: 'before' } });
    expect((await place.cli('events', run, '--after', String(all.length))).out).toBe('');
  });

  it('has no result while something runs; waiting counts as nothing running', async () => {
    expect(await place.json('result', run)).toMatchObject({ schema_version: 3, state: 'waiting', ok: false });
    const slow = await place.run('version: 1\nname: slow\nnodes:\n  a: { run: [sleep, "60"] }\n');
    await until(async () => (await place.node(slow, 'a'))?.status === 'running');
    expect(await place.cli('result', slow)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('still running') });
    expect(await place.json('result', slow, '--partial')).toMatchObject({ state: 'waiting', ok: false });
    await place.cli('cancel', slow, '--now');
    expect((await place.wait(slow)).code).toBe(1);
  });

  it('shows the log of a node, and says of one that never ran that it has none', async () => {
    expect(await place.cli('logs', run, 'before')).toMatchObject({ code: 0, out: expect.stringContaining('one\ntwo') });
    expect(await place.cli('logs', run, 'after')).toMatchObject({ code: 1, err: expect.stringContaining('was never dispatched') });
    expect(await place.cli('logs', run, 'nobody')).toMatchObject({ code: 2, err: expect.stringContaining('it has before, ok, after') });
  });

  it('lists it with what it waits for, in the list and in the inbox, with the command that clears it', async () => {
    const { runs } = await place.json<{ runs: { run_id: string }[] }>('list', '--open');
    expect(runs.find((one) => one.run_id === run)).toMatchObject({
      plan: 'gate',
      state: 'waiting',
      open: true,
      waiting: [{ reference: 'ok' }],
    });
    const { waiting: inbox } = await place.json<{ waiting: { run_id: string }[] }>('waiting');
    expect(inbox.find((one) => one.run_id === run)).toMatchObject({ action: 'Look at it', command: `sluice attest ${run} ok` });
  });

  it('warns when the plan file is no longer what the run was started with', async () => {
    const { plan_file: file } = await place.status(run);
    await writeFile(file!, `${GATE}# changed\n`);
    expect((await place.cli('status', run)).err).toContain('has changed since the run was started');
  });

  it('reads the journal when it is closed and no worker answers', async () => {
    const here = await Place.open();
    try {
      const worker = await here.worker();
      const over = await here.run('version: 1\nname: over\nnodes:\n  a: { run: [echo, hi] }\n');
      expect((await here.wait(over)).code).toBe(0);
      worker.kill('SIGTERM');
      await worker.ended;
      const events = await here.events(over);
      expect(events.at(-1)).toMatchObject({ kind: 'run-settled', payload: { state: 'complete' } });
      expect(await here.result(over)).toMatchObject({ state: 'complete', ok: true });
    } finally {
      await here.close();
    }
  }, 120_000);
});

describe('sluice doctor', () => {
  it('finds what is there and says what to do about what is not', async () => {
    const { findings } = await place.json<{ findings: { what: string }[] }>('doctor');
    const found = (what: string) => findings.find((one) => one.what === what);
    expect(found('node')).toMatchObject({ verdict: 'ok' });
    expect(found('workers')).toMatchObject({ verdict: 'ok' });
    expect(found('this host')).toMatchObject({ verdict: 'ok' });
    expect(found('agent codex')).toMatchObject({ verdict: expect.stringMatching(/ok|warn/) });
  });

  it('tells a broken config by file and line', async () => {
    const here = await Place.open();
    try {
      await here.write('sluice.config.yaml', 'agnets: {}\n');
      expect(await here.cli('doctor')).toMatchObject({ code: 1, out: expect.stringMatching(/FAIL {2}config: .*sluice\.config\.yaml:1:1/) });
    } finally {
      await here.close();
    }
  });

  it('shows each setting with where it comes from', async () => {
    const here = await Place.open({ SLUICE_QUIET_MS: '5000', SLUICE_GRACE_MS: 'soon' });
    try {
      const { settings } = await here.json<{ settings: { name: string }[] }>('doctor', '--config');
      const found = (name: string) => settings.find((one) => one.name === name);
      expect(found('settings.quietMs')).toMatchObject({ value: 5000, from: 'SLUICE_QUIET_MS' });
      expect(found('settings.graceMs')).toMatchObject({ value: 300_000 });
      expect((await here.cli('doctor', '--config')).err).toMatch(/graceMs.*SLUICE_GRACE_MS.*using 300000/);
    } finally {
      await here.close();
    }
  });
});

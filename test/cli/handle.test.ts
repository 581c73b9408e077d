// What is done with a run that was started: commands to it, looking at it, and `sluice doctor`. By the built CLI, on the real server.

import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Place } from '../support/place.js';
import { until } from '../support/until.js';
import { GATE } from './gate-plan.js';

let place: Place;
beforeAll(async () => {
  place = await Place.open();
  await place.worker();
}, 120_000);
afterAll(() => place.close());

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
    await place.untilWaiting(run);
    expect(await place.cli('attest', run, 'okk')).toMatchObject({ code: 4, err: expect.stringContaining('okk') });
    expect((await place.cli('attest', run, 'ok', '--note', 'fine')).code).toBe(0);
    expect((await place.wait(run)).code).toBe(0);
    expect(await place.cli('attest', run, 'ok')).toMatchObject({ code: 4, err: expect.stringContaining('has ended (complete)') });
    expect(await place.cli('retry', run, 'after')).toMatchObject({ code: 4, err: expect.stringContaining('not yet: reopening') });
  });

  it('without what it is about names what there is to choose from', async () => {
    const run = await place.run(GATE);
    await place.untilWaiting(run);
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
    await place.untilWaiting(run);
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
      // each asks the run first, for 10 s
      const [events, result] = await Promise.all([here.events(over), here.result(over)]);
      expect(events.at(-1)).toMatchObject({ kind: 'run-settled', payload: { state: 'complete' } });
      expect(result).toMatchObject({ state: 'complete', ok: true });
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

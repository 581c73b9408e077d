// Field cases H and I: death of a worker in the middle, a torn journal, cancelling what is silent.

import { readFile, appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAlive, Place } from '../support/place.js';
import { callsOf, stubProject } from '../support/stub-plan.js';
import { until } from '../support/until.js';

let place: Place;

beforeAll(async () => {
  place = await Place.open();
  const scripts = {
    silent: { calls: [[{ sleep: 600_000 }], [{ init: true }, { say: 'late' }, { ok: 'ok' }]] },
    spoken: [{ say: 'no session, but words' }, { sleep: 600_000 }],
    mute: [{ sleep: 600_000 }],
  };
  // the death of a worker is known when its heartbeats lapse; the default waits 15 s
  await stubProject(place, scripts, { heartbeatTimeoutMs: 5_000 });
});
afterAll(async () => {
  await place.close();
});

const one = (agent: string): string =>
  `version: 1\nname: case\nnodes:\n  a:\n    agent: { prompt: hello, use: ${agent} }\n  b: { run: ["true"], needs: [a] }\n`;

describe('restart in the middle of live work', () => {
  it('O-40 a killed worker costs no attempt: the tree is gone before the next begins, and the node is done once', async () => {
    const first = await place.worker();
    const run = await place.run(one('silent'));
    const [call] = await until(async () => {
      const calls = await callsOf(place, 'silent');
      return calls.length > 0 && calls;
    });
    first.kill('SIGKILL');
    await until(async () => !(await isAlive(call?.pid ?? 0)), 6_000);
    const second = await place.worker();
    expect((await place.wait(run)).code).toBe(0);
    expect(await callsOf(place, 'silent')).toHaveLength(2);
    expect((await place.events(run)).filter((event) => event.kind === 'node-settled' && event.labels.node === 'a')).toHaveLength(1);
    second.kill('SIGTERM');
    await second.ended;
  }, 120_000);

  it('O-40 one that had spoken and cannot be continued is interrupted, started once', async () => {
    const first = await place.worker();
    const run = await place.run(one('spoken'));
    await until(async () => (await callsOf(place, 'spoken')).length > 0);
    await until(async () => (await place.cli('logs', run, 'a')).out.includes('no session, but words'));
    first.kill('SIGKILL');
    await first.ended;
    const second = await place.worker();
    expect((await place.wait(run)).code).toBe(1);
    expect(await place.node(run, 'a')).toMatchObject({ status: 'failed', outcome: 'interrupted' });
    expect(await callsOf(place, 'spoken')).toHaveLength(1);
    second.kill('SIGTERM');
    await second.ended;
  }, 120_000);

  it('O-42 a cancel reaches an agent that never says a word: its node, then a whole run', async () => {
    const worker = await place.worker();
    for (const what of ['node', 'run'] as const) {
      const seen = (await callsOf(place, 'mute')).length;
      const run = await place.run(one('mute'));
      const call = await until(async () => (await callsOf(place, 'mute'))[seen]);
      await place.cli('cancel', run, ...(what === 'node' ? ['a'] : []));
      await until(async () => !(await isAlive(call.pid)), 15_000);
      await place.wait(run);
      expect(await place.node(run, 'a')).toMatchObject({ status: 'cancelled' });
    }
    worker.kill('SIGTERM');
    await worker.ended;
  }, 120_000);

  it('O-38 a torn last line of the journal is told, mended, and nothing runs again', async () => {
    const first = await place.worker();
    const run = await place.run(
      'version: 1\nname: torn\nnodes:\n  a: { run: "echo a >> torn.ran" }\n  g: { human: look, needs: [a] }\n  z: { run: "echo z >> torn.ran", needs: [g] }\n',
    );
    await place.untilWaiting(run);
    const journal = `${place.project}/.sluice/runs/${run}/events.ndjson`;
    await until(async () => (await readFile(journal, 'utf8')).includes('decision-pending'));
    first.kill('SIGTERM');
    await first.ended;
    await appendFile(journal, '{"ts":"2026-');
    const second = await place.worker();
    await place.cli('attest', run, 'g');
    expect((await place.wait(run)).code).toBe(0);
    expect(await place.lines('torn.ran')).toEqual(['a', 'z']);
    const said = await place.cli('events', run);
    expect(said.err).toMatch(/1 unreadable/);
    const events = await place.events(run);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
    second.kill('SIGTERM');
    await second.ended;
  }, 120_000);
});

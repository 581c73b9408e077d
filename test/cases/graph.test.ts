// Field cases F and I at the level of a run: failures below, retries, payloads, broken input.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Place } from '../support/place.js';
import { callsOf, stubProject } from '../support/stub-plan.js';
import { until } from '../support/until.js';

let place: Place;

beforeAll(async () => {
  place = await Place.open();
  await stubProject(place, { shy: { calls: [[{ exit: 1 }], [{ init: true }, { say: 'here' }, { ok: 'ok' }]] } });
  await place.worker();
});
afterAll(async () => {
  await place.close();
});

describe('the graph', () => {
  it('O-30 holds c and d below a failed b with b as the cause, runs e, ends by itself with exit 1', async () => {
    const run = await place.run(`version: 1
name: chain
nodes:
  a: { run: "echo a >> ran" }
  b: { run: "echo b >> ran; false", needs: [a] }
  c: { run: "echo c >> ran", needs: [b] }
  d: { run: "echo d >> ran", needs: [c] }
  e: { run: "echo e >> ran" }
`);
    expect((await place.wait(run)).code).toBe(1);
    expect((await place.lines('ran')).sort()).toEqual(['a', 'b', 'e']);
    const { state, ok, nodes } = await place.result(run);
    expect({ state, ok }).toEqual({ state: 'failed', ok: false });
    expect(nodes.filter((node) => node.status === 'blocked')).toEqual([
      { id: 'c', status: 'blocked', blocked_by: ['b'] },
      { id: 'd', status: 'blocked', blocked_by: ['b'] },
    ]);
  });

  it('O-31 O-30 a person retries the failed arm while the run is open: the join runs once and the run is complete', async () => {
    const run = await place.run(`version: 1
name: diamond
nodes:
  gate: { human: hold the run open }
  a: { run: ["true"] }
  b: { run: ["true"], needs: [a] }
  c: { run: "test -e mended", needs: [a] }
  d: { run: "echo d >> joined", needs: [b, c] }
`);
    await until(async () => (await place.node(run, 'c'))?.status === 'failed');
    await place.write('mended', '');
    expect((await place.cli('retry', run, 'c')).code).toBe(0);
    await until(async () => (await place.lines('joined')).length === 1);
    expect((await place.cli('attest', run, 'gate')).code).toBe(0);
    expect((await place.wait(run)).code).toBe(0);
    expect(await place.lines('joined')).toEqual(['d']);
  });

  it('O-31 a silent first try is asked again and does not block what is below', async () => {
    const run = await place.run(`version: 1
name: shy
nodes:
  c: { agent: { prompt: hello, use: shy } }
  d: { run: ["true"], needs: [c] }
`);
    expect((await place.wait(run)).code).toBe(0);
    expect(await callsOf(place, 'shy')).toHaveLength(2);
    expect((await place.events(run)).filter((event) => event.kind === 'node-dispatched' && event.labels.node === 'd')).toHaveLength(1);
  });

  it('O-44 a plan of 5 MB runs, or is refused with its size and the limit', async () => {
    await place.write('big.yaml', `version: 1\nname: big\nnodes:\n  a:\n    human: ${'word '.repeat(1_000_000)}\n`);
    const said = await place.cli('run', 'big.yaml', '--detach', '--json');
    if (said.code === 0) {
      const { run_id: run } = JSON.parse(said.out) as { run_id: string };
      await place.untilWaiting(run);
      await place.cli('attest', run, 'a');
      expect((await place.wait(run)).code).toBe(0);
    } else {
      expect(said.code).toBe(2);
      expect(said.err).toMatch(/MB|MiB|bytes/);
    }
  });

  it('O-45 a message with a malformed body is refused with words and never holds the run up', async () => {
    const run = await place.run('version: 1\nname: gate\nnodes:\n  ok: { human: look }\n');
    const said = await place.cli('attest', run, 'ok', '--choice', 'nonsense');
    expect(said.code).toBe(4);
    expect(said.err).toContain('has no choice nonsense');
    await place.cli('attest', run, 'ok');
    expect((await place.wait(run)).code).toBe(0);
  });
});

// Field cases A and B at the level of a run: the built CLI, a real worker, a stub agent.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAlive, Place, type WorkerProcess } from '../support/place.js';
import { callsOf, stubProject } from '../support/stub-plan.js';
import { until } from '../support/until.js';

let place: Place;
let worker: WorkerProcess;

beforeAll(async () => {
  place = await Place.open({ CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' });
  await stubProject(place, {
    reader: [{ readStdin: true }, { init: true }, { say: 'read it' }, { ok: 'ok' }],
    tree: [{ init: true }, { say: 'on it' }, { ignore: ['SIGINT', 'SIGTERM'] }, { tree: 'tree.pids' }, { sleep: 600_000 }],
    killed: [{ init: true }, { say: 'hello' }, { kill: 'SIGKILL' }],
    mute: [{ kill: 'SIGKILL' }],
    leftover: [{ init: true }, { background: ['sleep', '300'] }, { say: 'done' }, { ok: 'ok' }],
    nested: [{ refuseIf: 'CLAUDECODE' }, { init: true }, { say: 'fine' }, { ok: 'ok' }],
    hanging: [{ init: true }, { say: 'done' }, { ok: 'all good' }, { sleep: 3_600_000 }],
    large: [{ init: true }, { say: 'done' }, { ok: 'x'.repeat(5_000_000) }],
  });
  worker = await place.worker();
});
afterAll(async () => {
  await place.close();
});

const one = (agent: string, more = ''): string =>
  `version: 1\nname: case\nnodes:\n  a:\n    agent: { prompt: hello, use: ${agent}${more} }\n`;

describe('an agent as a child process', () => {
  it('O-01 an agent that reads stdin to its end is done at its first attempt', async () => {
    const run = await place.run(one('reader'));
    expect((await place.wait(run)).code).toBe(0);
    expect(await place.node(run, 'a')).toMatchObject({ status: 'done', attempt: 1 });
    expect((await place.events(run)).some((event) => event.kind === 'quiet-worker')).toBe(false);
  });

  it('O-04 O-47 a cancel ends the whole tree, says killed, and gives the slot back', async () => {
    const plan = `version: 1\nname: case\nconcurrency: 1\nnodes:\n  x:\n    agent: { prompt: hello, use: tree }\n  y:\n    run: [touch, y.ran]\n`;
    const run = await place.run(plan);
    const pids = await until(async () => {
      const lines = await place.lines('tree.pids');
      return lines.length === 3 && lines.map(Number);
    });
    expect((await place.cli('cancel', run, 'x')).code).toBe(0);
    await until(async () => (await Promise.all(pids.map(isAlive))).every((alive) => !alive), 5_000 + 10_000);
    await place.wait(run);
    expect(await place.node(run, 'x')).toMatchObject({ status: 'cancelled', detail: expect.stringContaining('killed') });
    expect(await place.node(run, 'y')).toMatchObject({ status: 'done' });
    const raised = (await place.events(run)).filter((event) => event.kind === 'surface-raised').map((event) => event.payload.kind);
    expect(raised).toEqual(['dispatch-interrupted', 'dispatch-killed']);
  });

  it('O-05 an agent killed by a signal after it spoke has failed, and is not asked again', async () => {
    const run = await place.run(one('killed'));
    expect((await place.wait(run)).code).toBe(1);
    expect(await place.node(run, 'a')).toMatchObject({
      status: 'failed',
      outcome: 'task-failed',
      detail: expect.stringContaining('SIGKILL'),
    });
    expect(await callsOf(place, 'killed')).toHaveLength(1);
  });

  it('O-05 one that said nothing is asked three times', async () => {
    const run = await place.run(one('mute'));
    expect((await place.wait(run)).code).toBe(1);
    expect(await place.node(run, 'a')).toMatchObject({ status: 'failed', outcome: 'no-agent-progress' });
    expect(await callsOf(place, 'mute')).toHaveLength(3);
    const told = (await place.events(run)).filter((event) => event.kind === 'node-dispatched').map((event) => event.payload.attempt);
    expect(told).toEqual([1, 2, 3]);
  });

  it('O-03 what an agent leaves behind does not hold its node, is ended, and is told', async () => {
    const run = await place.run(one('leftover'));
    expect((await place.wait(run)).code).toBe(0);
    expect(await place.node(run, 'a')).toMatchObject({ status: 'done', detail: expect.stringMatching(/left|ended/) });
  });

  it('O-06 markers of an enclosing session do not reach the agent', async () => {
    const run = await place.run(one('nested'));
    expect((await place.wait(run)).code).toBe(0);
    expect(await callsOf(place, 'nested')).toHaveLength(1);
  });

  it('O-08 a result outlives a process that does not end', async () => {
    const run = await place.run(one('hanging'));
    expect((await place.wait(run)).code).toBe(0);
    expect(await place.node(run, 'a')).toMatchObject({ status: 'done', attempt: 1, detail: expect.stringContaining('result') });
    const [call] = await callsOf(place, 'hanging');
    expect(await isAlive(call?.pid ?? 0)).toBe(false);
  });

  it('O-44 a final text of 5 MB settles once, bounded, with the full text kept', async () => {
    const run = await place.run(one('large'));
    expect((await place.wait(run)).code).toBe(0);
    expect(await callsOf(place, 'large')).toHaveLength(1);
    const events = await place.events(run);
    expect(JSON.stringify(events).length).toBeLessThan(100_000);
    expect(worker.pid).toBeGreaterThan(0);
  });
});

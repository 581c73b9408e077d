// Whole runs with the real claude and codex on the scripted model: the example, a hand-over at shutdown, a cancel while the model hangs.

import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NodeView, StatusView } from '../../model/run/views.js';
import { isAlive, Place, ROOT, type WorkerProcess } from '../support/place.js';
import { until } from '../support/until.js';
import { Bench, config } from './harness.js';

const SLOW = 'test -e once || { touch once; sleep 120; }';
const ANSWER = 'touch .sluice/agents-example.mjs';

let bench: Bench;
let place: Place;

beforeEach(async () => {
  place = await Place.open();
  const agents = Object.entries(config.agents ?? {}).map(
    ([name, agent]) => `  ${name}: { bin: ${JSON.stringify(agent.bin)}, env: [SCRIPTED_KEY] }`,
  );
  await place.write('sluice.config.yaml', ['agents:', ...agents, 'settings: { backoffMs: 200, graceMs: 5000 }', ''].join('\n'));
});
afterEach(async () => {
  await place.close();
  await bench.close();
});

/** The environment of a worker whose agents talk to the model in this mode. */
function workerEnv(mode: string): Record<string, string> {
  return { ...bench.environment('claude', mode), ...bench.environment('codex', mode), IS_SANDBOX: '1' };
}

async function nodes(run: string): Promise<Record<string, NodeView>> {
  const { nodes: all } = await place.json<StatusView & { nodes: NodeView[] }>('status', run);
  return Object.fromEntries(all.map((node) => [node.id, node]));
}

/** A claude in the middle of a slow tool call, on a worker to be ended. */
async function inTheMiddle(): Promise<{ first: WorkerProcess; run: string; session: string }> {
  bench = await Bench.open({ command: SLOW });
  const first = await place.worker(workerEnv('tool'));
  const run = await place.run(
    'version: 1\nname: slow\nnodes:\n  a:\n    agent: { prompt: Wait a little., use: claude, permissions: full }\n',
  );
  await until(() => existsSync(path.join(place.project, 'once')), 60_000);
  const session = await until(async () => (await place.node(run, 'a'))?.session_id, 30_000);
  return { first, run, session };
}

describe('runs with real agents', () => {
  it('examples/agents.yaml ends complete, with sessions, usage, the cost of claude, and codex’s cost unknown', async () => {
    bench = await Bench.open({ command: ANSWER });
    await copyFile(path.join(ROOT, 'examples', 'agents.yaml'), path.join(place.project, 'agents.yaml'));
    await place.worker(workerEnv('tool'));
    const { run_id: run } = await place.json<{ run_id: string }>('run', 'agents.yaml', '--detach');
    await until(async () => (await place.status(run)).state === 'waiting', 120_000);
    expect((await place.cli('attest', run, 'choose', '--choice', 'claude')).code).toBe(0);
    expect(await place.wait(run)).toMatchObject({ code: 0 });
    const { 'claude-says': claude, 'codex-says': codex, write } = await nodes(run);
    for (const node of [claude, codex, write])
      expect(node).toMatchObject({ status: 'done', session_id: expect.stringMatching(/.{8}/), attempt: 1 });
    expect(claude?.usage?.cost_usd).toBeGreaterThan(0);
    expect(codex?.usage).toMatchObject({ cost_unknown: true });
    expect(codex?.usage?.cost_usd).toBeUndefined();
    const { openai } = bench.model.served();
    const { input_tokens: input = 0, cached_input_tokens: cached = 0, output_tokens: output = 0 } = codex?.usage ?? {};
    expect({ input: input + cached, cached, output }).toEqual({
      input: openai.input_tokens,
      cached: openai.cached_tokens,
      output: openai.output_tokens,
    });
    expect((await place.status(run)).usage).toMatchObject({ cost_unknown: true });
  }, 240_000);

  it('a worker that is told to shut down hands its agent over; the next one continues the session, and no attempt is spent', async () => {
    const { first, run, session } = await inTheMiddle();
    first.kill('SIGTERM');
    expect((await first.ended).code).toBe(143);
    await place.worker(workerEnv('tool'));
    expect(await place.wait(run)).toMatchObject({ code: 0 });
    expect((await nodes(run)).a).toMatchObject({ status: 'done', session_id: session });
    const events = await place.events(run);
    expect(events.filter((event) => event.kind === 'surface-raised')).toEqual([]);
    expect(events.filter((event) => event.kind === 'node-settled')).toHaveLength(1);
    expect(events.find((event) => event.kind === 'node-dispatched' && event.payload.attempt === 2)?.payload.reason).toMatch(/shut down/);
  }, 240_000);

  it.each(['claude', 'codex'] as const)(
    '%s is asked to stop while the model hangs, and is cancelled',
    async (use) => {
      bench = await Bench.open();
      await place.worker(workerEnv('hang'));
      const run = await place.run(`version: 1\nname: hang\nnodes:\n  a:\n    agent: { prompt: hello, use: ${use}, permissions: full }\n`);
      await until(() => bench.model.served().requests > 0, 60_000);
      expect((await place.cli('cancel', run, 'a')).code).toBe(0);
      await place.wait(run);
      expect((await nodes(run)).a).toMatchObject({ status: 'cancelled' });
    },
    120_000,
  );

  it.each([
    ['claude', 'limit', 'quota'],
    ['claude', 'login', 'refused-login'],
    ['codex', 'limit', 'quota'],
    ['codex', 'login', 'refused-login'],
  ] as const)(
    '%s refused by the mode %s fails as %s, asked once',
    async (use, mode, outcome) => {
      bench = await Bench.open();
      await place.worker(workerEnv(mode));
      const run = await place.run(
        `version: 1\nname: refused\nnodes:\n  a:\n    agent: { prompt: hello, use: ${use}, permissions: full }\n`,
      );
      expect((await place.wait(run)).code).toBe(1);
      expect((await nodes(run)).a).toMatchObject({ status: 'failed', outcome, attempt: 1 });
    },
    120_000,
  );

  it('a claude whose worker is killed after it spoke is continued by session once its tree is gone', async () => {
    const { first, run, session } = await inTheMiddle();
    first.kill('SIGKILL');
    await first.ended;
    expect(await isAlive(first.pid)).toBe(false);
    await place.worker(workerEnv('tool'));
    expect(await place.wait(run)).toMatchObject({ code: 0 });
    expect((await nodes(run)).a).toMatchObject({ status: 'done', session_id: session });
  }, 240_000);
});

// `sluice worker` as a process: what it says, serves and leaves behind.

import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { runWorkflowId } from '../../model/ids.js';
import type { NodeSpec } from '../../model/plan/compiled.js';
import type { RunInput } from '../../model/run/input.js';
import type { ResultV3 } from '../../model/run/result.js';
import type { NodeView } from '../../model/run/views.js';
import { createDataConverter } from '../../workers/codec/index.js';
import { program, runInput } from '../support/builders.js';
import { Place, isAlive } from '../support/place.js';
import { until } from '../support/until.js';

const KEY = Buffer.alloc(32, 1).toString('base64');

let place: Place;
let connection: Connection;
let client: Client;

beforeEach(async () => {
  place = await Place.open({ SLUICE_ENCRYPTION_KEY: KEY, SLUICE_SHUTDOWN_GRACE: '1' });
  connection = await Connection.connect({ address: process.env.SLUICE_TEST_ADDRESS });
  const payloadDir = join(place.dir, 'state', 'payloads');
  client = new Client({ connection, dataConverter: createDataConverter({ payloadDir, key: Buffer.from(KEY, 'base64') }) });
});
afterEach(async () => {
  await connection.close();
  await place.close();
});

const runs = (id: string, argv: string[]) => program(id, [], { run: { argv, env: { pass: [], set: {} }, attempts: 1, okCodes: [0] } });

async function start(node: NodeSpec, inputs: Record<string, string> = {}) {
  const run = `w-${randomUUID().slice(0, 8)}`;
  const home = (await readFile(join(place.dir, 'state', 'host-id'), 'utf8')).trim();
  const fleet = place.env.SLUICE_FLEET!;
  const input = runInput([node], { run, home, fleet, project: { id: 'w', dir: place.project } });
  const started = { ...input, plan: { ...input.plan, inputs } };
  return client.workflow.start<(input: RunInput) => Promise<ResultV3>>('run', {
    taskQueue: fleet,
    workflowId: runWorkflowId(run),
    args: [started],
  });
}

const pidIn = async (file: string): Promise<number> => Number(await place.read(file).catch(() => '0'));

describe('sluice worker', () => {
  it('takes runs, carries 5 MB there and back through the encrypted store, and ends with 0 when told to', async () => {
    const worker = await place.worker();
    const code = 'const { inputs } = JSON.parse(require("fs").readFileSync(process.env.SLUICE_INPUTS)); console.log(inputs.big.length)';
    const big = randomBytes(3_750_000).toString('base64');
    const handle = await start(runs('size', [process.execPath, '-e', code]), { big });
    expect(await handle.result()).toMatchObject({ state: 'complete' });
    const [node] = await handle.query<NodeView[], [{ after: number; limit: number }]>('nodes', { after: 0, limit: 1 });
    expect(node).toMatchObject({ id: 'size', status: 'done' });
    expect(await place.read(`.sluice/runs/${handle.workflowId.slice('run/'.length)}/logs/size.1.1.log`)).toContain('5000000');
    const { history } = await client.workflowService.getWorkflowExecutionHistory({
      namespace: 'default',
      execution: { workflowId: handle.workflowId },
    });
    expect(JSON.stringify(history).length).toBeLessThan(200_000);
    worker.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 143 });
  });

  it('ends what it runs at SIGTERM, and its successor runs it again', async () => {
    const first = await place.worker();
    const script = 'echo $$ > pid.$(cat turn 2>/dev/null || echo 1); [ -e turn ] && exit 0; echo 2 > turn; exec sleep 300';
    const handle = await start(runs('long', ['sh', '-c', script]));
    await until(async () => (await pidIn('pid.1')) > 0 && (await place.read('turn').catch(() => '')) !== '');
    const pid = await pidIn('pid.1');
    first.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 143 });
    expect(await isAlive(pid)).toBe(false);
    const second = await place.worker();
    expect(await handle.result()).toMatchObject({ state: 'complete' });
    expect(await pidIn('pid.2')).toBeGreaterThan(0);
    second.kill('SIGINT');
    expect(await second.ended).toMatchObject({ code: 130 });
  });

  it('leaves nothing running when a second signal ends it at once', async () => {
    const worker = await place.worker({ SLUICE_SHUTDOWN_GRACE: '60' });
    const handle = await start(runs('deaf', ['sh', '-c', 'trap "" TERM INT; echo $$ > pid; while :; do sleep 1; done']));
    await until(async () => (await pidIn('pid')) > 0);
    const pid = await pidIn('pid');
    // two at once may arrive as one
    const more = setInterval(() => worker.kill('SIGTERM'), 300);
    const ended = await worker.ended.finally(() => clearInterval(more));
    expect(ended).toMatchObject({ code: 143 });
    await until(async () => !(await isAlive(pid)), 10_000);
    await handle.terminate();
  });

  it('serves health and metrics where it is told to', async () => {
    const child = place.start(['worker', '--metrics', '0', '--no-workflows', '--executor', 'gpu=2']);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until(() => said.includes('/healthz'));
    expect(said).toContain('takes no workflows, agents 4');
    expect(said).toContain('gpu 2');
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('temporal_');
    child.kill('SIGINT');
    expect((await child).exitCode).toBe(130);
  });

  it.each([
    ['a flag that cannot be used', 2, ['worker', '--executor', 'gpu=none'], {}],
    ['a key that is none', 2, ['worker'], { SLUICE_ENCRYPTION_KEY: 'short' }],
    ['a server that is not there', 3, ['worker'], { TEMPORAL_ADDRESS: '127.0.0.1:1' }],
    ['a namespace that is not there', 3, ['worker'], { TEMPORAL_NAMESPACE: 'nowhere' }],
  ])('refuses %s with exit code %i and one line', async (_name, code, args, env: Record<string, string>) => {
    const { exitCode, stderr } = await place.start(args, env);
    expect({ exitCode, lines: String(stderr).trim().split('\n').length, stderr }).toMatchObject({ exitCode: code, lines: 1 });
  });
});

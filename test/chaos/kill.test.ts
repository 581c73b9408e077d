// kill -9 of worker and server at a random moment, then `sluice dev`: nothing lost, nothing settled twice, no process left.
// SEEDS says how many runs (default 2), two at a time, each with a server and folders of its own; SEED=N plays one again.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { choosePort } from '../../temporal-dev/ports.js';
import { isAlive, Place } from '../support/place.js';
import { until } from '../support/until.js';

const SEEDS =
  process.env.SEED === undefined ? Array.from({ length: Number(process.env.SEEDS ?? 2) }, (_, i) => i + 1) : [Number(process.env.SEED)];

// a program with a child of its own; it says so when a former try of its node is still alive
const WORK = `
import { appendFileSync, readFileSync, existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
const node = process.env.SLUICE_NODE;
const former = existsSync('starts') ? readFileSync('starts', 'utf8').split('\\n').filter((line) => line.startsWith(node + ' ')) : [];
for (const line of former) for (const pid of line.split(' ').slice(1).map(Number)) {
  try { process.kill(pid, 0); appendFileSync('overlaps', node + ' ' + pid + '\\n'); } catch { /* gone, as it should be */ }
}
const child = spawn('sleep', ['300']);
appendFileSync('starts', node + ' ' + process.pid + ' ' + child.pid + '\\n');
setTimeout(() => { child.kill('SIGKILL'); appendFileSync('ends', node + '\\n'); process.exit(0); }, Number(process.argv[2]));
`;

/** A small generator of numbers in [0, 1), so that a seed can be played again. */
function draws(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state / 4_294_967_296;
  };
}

function plan(draw: () => number): string {
  const nodes = Array.from({ length: 12 }, (_, i) => {
    const needs = i < 4 ? '' : `, needs: [p${Math.floor(draw() * 4)}, p${Math.floor(draw() * i)}]`;
    return `  p${i}: { run: [node, work.mjs, "${300 + Math.floor(draw() * 1_500)}"]${needs} }`;
  });
  return `version: 1\nname: chaos\nconcurrency: 4\nnodes:\n${nodes.join('\n')}\n`.replace(/needs: \[(p\d+), \1\]/g, 'needs: [$1]');
}

interface Pair {
  pid: number;
  serverPid: number;
}

const pairOf = async (place: Place): Promise<Pair> =>
  JSON.parse(await readFile(join(place.dir, 'state', 'dev', 'dev.json'), 'utf8')) as Pair;

/** A death is known when heartbeats lapse: in 5 s instead of the default 15 (a beat a second still reaches a busy server in time). */
const CONFIG = 'settings: { graceMs: 2000, heartbeatMs: 500, heartbeatTimeoutMs: 5000 }\n';

// seeds run beside each other, where hooks of a test do not work
async function withPlace(use: (place: Place) => Promise<void>): Promise<void> {
  const place = await Place.open({}, true);
  try {
    await use(place);
  } finally {
    await place.cli('down');
    await place.close();
  }
}

/**
 * All pairs want the usual port first: a seed whose server was killed would find the other seed's there.
 * Below the ports that the system gives to connections, one of which could take it in the moment between the look and the start.
 */
async function portOf(seed: number, nth: 0 | 1): Promise<string> {
  return String(await choosePort(20_000 + ((seed * 2 + nth) % 900), '127.0.0.1'));
}

const pidsOf = async (place: Place): Promise<number[]> =>
  (await place.lines('starts')).flatMap((line) => line.split(' ').slice(1).map(Number));

/**
 * Waits for the run's end; a run without one is left before jest's own deadline, which would leave the place behind.
 * @returns the exit code of `sluice wait`, and when it is not 0 all that can be asked, since no seed plays a second time to the millisecond
 */
async function endOf(place: Place, run: string): Promise<{ exitCode: number | undefined; seen: string }> {
  const waiting = place.start(['wait', run]);
  const late = setTimeout(() => waiting.kill('SIGKILL'), 150_000);
  const { exitCode, stdout, stderr } = await waiting.finally(() => clearTimeout(late));
  if (exitCode === 0) return { exitCode, seen: '' };
  const asked = [await place.cli('status', run), await place.cli('events', run)].flatMap(({ out, err }) => [out, err]);
  return { exitCode, seen: [String(stdout), String(stderr), ...asked].join('\n') };
}

async function play(here: Place, seed: number): Promise<void> {
  const draw = draws(seed);
  await here.write('work.mjs', WORK);
  await here.write('sluice.config.yaml', CONFIG);
  void here.start(['dev', '--embedded', '--port', await portOf(seed, 0)]);
  await until(() => pairOf(here), 60_000);
  const run = await here.run(plan(draw));
  const started = 1 + Math.floor(draw() * 10);
  await until(async () => (await here.lines('starts')).length >= started, 60_000);

  const before = await here.events(run);
  const pair = await pairOf(here);
  for (const pid of draw() < 0.5 ? [pair.pid, pair.serverPid] : [pair.serverPid, pair.pid]) process.kill(pid, 'SIGKILL');
  const pids = await pidsOf(here);
  await until(async () => (await Promise.all(pids.map(isAlive))).every((alive) => !alive), 5_000);

  const dev = here.start(['dev', '--port', await portOf(seed, 1)]);
  expect(await endOf(here, run)).toEqual({ exitCode: 0, seen: '' });
  const settled = before.filter((event) => event.kind === 'node-settled').map((event) => event.labels.node);
  const ends = await here.lines('ends');
  for (const node of settled) expect(ends.filter((line) => line === node)).toHaveLength(1);
  expect(await here.lines('overlaps')).toEqual([]);
  expect(new Set(ends).size).toBe(12);

  const events = await here.events(run);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
  expect(events.filter((event) => event.kind === 'node-settled')).toHaveLength(12);
  dev.kill('SIGTERM');
  await dev;
  for (const pid of [...(await pidsOf(here)), pair.pid, pair.serverPid]) expect(await isAlive(pid)).toBe(false);
}

describe('kill -9 of worker and server in the middle of twelve programs', () => {
  it.concurrent.each(SEEDS)(
    'seed %i: ends complete, settled programs ran once, trees were gone before they ran again',
    (seed) => withPlace((place) => play(place, seed)),
    240_000,
  );
});

// kill -9 of worker and server at a random moment, then `sluice dev`: nothing lost, nothing settled twice, no process left.
// SEEDS says how many runs (default 2); SEED=N plays one again.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
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
    return `  p${i}: { run: [node, work.mjs, "${500 + Math.floor(draw() * 2_500)}"]${needs} }`;
  });
  return `version: 1\nname: chaos\nconcurrency: 4\nnodes:\n${nodes.join('\n')}\n`.replace(/needs: \[(p\d+), \1\]/g, 'needs: [$1]');
}

interface Pair {
  pid: number;
  serverPid: number;
}

const pairOf = async (place: Place): Promise<Pair> =>
  JSON.parse(await readFile(join(place.dir, 'state', 'dev', 'dev.json'), 'utf8')) as Pair;

let place: Place | undefined;
afterEach(async () => {
  await place?.cli('down');
  await place?.close();
  place = undefined;
});

describe('kill -9 of worker and server in the middle of twelve programs', () => {
  it.each(SEEDS)(
    'seed %i: ends complete, settled programs ran once, trees were gone before they ran again',
    async (seed) => {
      const draw = draws(seed);
      place = await Place.open({}, true);
      const here = place;
      await here.write('work.mjs', WORK);
      await here.write('sluice.config.yaml', 'settings: { graceMs: 2000 }\n');
      const run = await here.run(plan(draw));
      const started = 1 + Math.floor(draw() * 10);
      await until(async () => (await here.lines('starts')).length >= started, 60_000);

      const before = await here.events(run);
      const pair = await pairOf(here);
      for (const pid of draw() < 0.5 ? [pair.pid, pair.serverPid] : [pair.serverPid, pair.pid]) process.kill(pid, 'SIGKILL');
      const pids = (await here.lines('starts')).flatMap((line) => line.split(' ').slice(1).map(Number));
      await until(async () => (await Promise.all(pids.map(isAlive))).every((alive) => !alive), 5_000);

      const dev = here.start(['dev']);
      expect((await here.wait(run)).code).toBe(0);
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
      const all = (await here.lines('starts')).flatMap((line) => line.split(' ').slice(1).map(Number));
      for (const pid of [...all, pair.pid, pair.serverPid]) expect(await isAlive(pid)).toBe(false);
    },
    240_000,
  );
});

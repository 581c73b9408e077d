// What starting `true` and hearing of its exit costs, by who starts it: a small process, a worker with a large heap, or its guard.
// `node bench/spawn-cost.mjs`, after `npm run build`. The figures of docs/adr/0002-guard-spawns-with-child-process.md come from here.

import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { built } from './built.mjs';

const COUNT = 400;
const AT_ONCE = 8;
/** What a worker with the SDK, a bundle and some runs in its cache comes to. */
const HEAP_BYTES = 350 * 1024 * 1024;

const bare = () => new Promise((resolve) => spawn('true', { stdio: ['ignore', 'pipe', 'pipe'], detached: true }).once('close', resolve));
const withExeca = () => execa('true', { stdin: 'ignore', detached: true, buffer: false, reject: false });

function throughGuard(processes) {
  const handlers = { stdout() {}, stderr() {} };
  const spec = {
    run: 'bench',
    attempt: 1,
    argv: ['true'],
    cwd: '/',
    env: { PATH: process.env.PATH },
    stopSignal: 'SIGTERM',
    stdin: 'ignore',
  };
  let n = 0;
  return async () => {
    const dispatch = `node#${++n}`;
    await (
      await processes.spawn({ ...spec, key: `bench/${dispatch}`, dispatch }, handlers)
    ).exited;
  };
}

async function measure(name, start, guard) {
  for (let i = 0; i < 30; i++) await start();
  const sequential = await time(1, start, guard);
  const parallel = await time(AT_ONCE, start, guard);
  console.log(`${name.padEnd(32)} ${sequential}   ${parallel}`);
}

/**
 * Of each program: the median from start to exit and the lowest tenth (what a quiet machine would show), and the CPU that it took of this
 * process and of its guard. All in ms.
 */
async function time(atOnce, start, guard) {
  const cpu = await cpuMs(process.pid);
  const guardCpu = guard ? await cpuMs(guard) : 0;
  const taken = [];
  const loop = async () => {
    for (let i = 0; i < COUNT / atOnce; i++) {
      const from = performance.now();
      await start();
      taken.push((performance.now() - from) / atOnce);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  taken.sort((a, b) => a - b);
  const used = ((await cpuMs(process.pid)) - cpu) / COUNT;
  const usedByGuard = guard ? ((await cpuMs(guard)) - guardCpu) / COUNT : 0;
  const figures = [taken[COUNT / 2], taken[COUNT / 10], used, ...(guard ? [usedByGuard] : [])];
  return figures
    .map((ms) => ms.toFixed(2).padStart(7))
    .join('')
    .padEnd(28);
}

/** Time on a CPU of all its threads, in nanoseconds in /proc (ticks of 10 ms are too coarse for what wakes and sleeps at once). */
async function cpuMs(pid) {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(
    threads.map(async (thread) => Number((await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')[0])),
  );
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

async function rssMb(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
}

const columns = ' median lowest    CPU  guard'.padEnd(28);
console.log(`${'ms a program'.padEnd(32)} ${columns}   ${columns} (the second: ${AT_ONCE} at a time)`);
await measure('child_process, small process', bare);
await measure('execa, small process', withExeca);
const heap = Buffer.alloc(HEAP_BYTES, 1);
await measure('child_process, large worker', bare);
await measure('execa, large worker', withExeca);
const stateDir = await mkdtemp(join(tmpdir(), 'sluice-spawn-'));
const { startProcesses } = await built('activities/process/guard-client.js');
const processes = await startProcesses({ stateDir, log: console.error });
const spec = {
  run: 'bench',
  dispatch: 'size#1',
  key: 'bench/size#1',
  attempt: 1,
  argv: ['cat'],
  cwd: '/',
  env: { PATH: process.env.PATH },
};
const child = await processes.spawn({ ...spec, stopSignal: 'SIGTERM', stdin: 'open' }, { stdout() {}, stderr() {} });
const { owner } = await processes.record('bench', 'size#1');
const before = await rssMb(owner.pid);
await measure('guard, large worker', throughGuard(processes), owner.pid);
console.log(
  `worker ${await rssMb(process.pid)} MB (${heap.length >> 20} of them held), guard ${before} MB, ${await rssMb(owner.pid)} MB at the end`,
);
child.kill();
await processes.close();
await rm(stateDir, { recursive: true });

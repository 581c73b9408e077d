// What is left when the worker, its guard, or both are killed with SIGKILL: nothing that runs, and a record for the next attempt.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { startProcesses } from '../../../activities/process/guard-client.js';
import type { SpawnSpec } from '../../../activities/process/process.js';
import { readRecord, recordPath } from '../../../activities/process/records.js';
import { sweepDispatches } from '../../../activities/process/sweep.js';
import { buildProgram, type BuiltProgram } from '../../support/programs/build.js';
import { gather, isAlive, pidsIn, programOf, scratch, specOf, started, until, type Scratch } from './support.js';

let here: Scratch;
let workerProgram: BuiltProgram;
let guardOfWorker: BuiltProgram;
beforeAll(async () => {
  workerProgram = await buildProgram('test/support/programs/worker.ts');
  guardOfWorker = await buildProgram('activities/process/guard.ts');
});
afterAll(() => Promise.all([workerProgram.remove(), guardOfWorker.remove()]));
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

interface RunningWorker {
  pid: number;
  children: number[];
  guard: number;
  output(): string;
}

/** A worker in a process of its own that has started the specs, with its own stdin an open, silent pipe. */
async function startWorker(specs: SpawnSpec[]): Promise<RunningWorker> {
  const args = [workerProgram.path, here.stateDir, guardOfWorker.path, JSON.stringify(specs)];
  const worker = execa(process.execPath, args, { stdin: 'pipe', reject: false, buffer: false, env: { NODE_OPTIONS: '' } });
  let output = '';
  worker.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  worker.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const seen = () => [...output.matchAll(/^started (\d+) (\d+)$/gm)];
  await until('the worker has started its children', () => seen().length === specs.length);
  return { pid: worker.pid ?? 0, children: seen().map((m) => Number(m[1])), guard: Number(seen()[0]?.[2]), output: () => output };
}

describe('kill -9 of the worker', () => {
  it('ends stubborn, escaped and polite trees within 5 s, then the guard; the records keep the sessions', async () => {
    const files = ['stubborn', 'escapee'].map((name) => join(here.folder, name)) as [string, string];
    const specs = [
      programOf('stubborn-tree.mjs', [files[0]]),
      programOf('escapee.mjs', [files[1], 'stay']),
      programOf('polite.mjs', []),
      programOf('flood.mjs', ['100000']),
    ];
    const worker = await startWorker(specs);
    await until('all trees stand', () => pidsIn(files[0]).length === 3 && pidsIn(files[1]).length === 2);
    const pids = [...worker.children, ...files.flatMap(pidsIn)];
    expect(pids.every(isAlive)).toBe(true);
    process.kill(worker.pid, 'SIGKILL');
    const killedAt = Date.now();
    await until('the stubborn tree was asked', () => pidsIn(`${files[0]}.signals`).length === 3, 2_000);
    await until('every tree is gone', () => !pids.some(isAlive), 8_000);
    expect(Date.now() - killedAt).toBeLessThan(5_000);
    await until('the guard is gone', () => !isAlive(worker.guard), 2_000);
    for (const { run, dispatch } of specs) {
      const record = readRecord(recordPath(here.stateDir, run, dispatch));
      expect(record).toMatchObject({ spoke: true, session: `session of ${dispatch}`, ended: expect.any(String) });
    }
  });

  it('goes on to the next attempt: it sees the record, and its own spawn replaces it', async () => {
    const spec = programOf('polite.mjs', []);
    const worker = await startWorker([spec]);
    process.kill(worker.pid, 'SIGKILL');
    const processes = await here.start();
    await until('the first tree is gone', async () => (await processes.record(spec.run, spec.dispatch))?.ended !== undefined);
    const failed = await processes.spawn({ ...specOf(['no-such-program']), ...keyOf(spec), attempt: 2 }, gather());
    expect(failed).toMatchObject({ code: 'ENOENT' });
    expect(await processes.record(spec.run, spec.dispatch)).toMatchObject({ attempt: 1, session: `session of ${spec.dispatch}` });
    const child = started(await processes.spawn({ ...specOf(['sleep', '60']), ...keyOf(spec), attempt: 3 }, gather()));
    const record = await processes.record(spec.run, spec.dispatch);
    expect(record).toMatchObject({ attempt: 3, pid: child.pid, spoke: false });
    expect([record?.session, record?.ended]).toEqual([undefined, undefined]);
    child.kill();
    await child.exited;
  });
});

describe('kill -9 of the guard', () => {
  it('ends its trees, then rejects with GUARD_DIED; the next spawn has a new guard', async () => {
    const file = join(here.folder, 'stubborn');
    const seen = gather();
    const processes = await here.start();
    const spec = programOf('stubborn-tree.mjs', [file]);
    const child = started(await processes.spawn(spec, seen));
    await until('the tree stands', () => seen.out().includes('ready'));
    const guard = (await processes.record(spec.run, spec.dispatch))?.owner.pid ?? 0;
    const pids = pidsIn(file);
    process.kill(guard, 'SIGKILL');
    await expect(child.exited).rejects.toMatchObject({ code: 'GUARD_DIED' });
    expect([guard, ...pids].map(isAlive)).toEqual([false, false, false, false]);
    const again = gather();
    expect(await started(await processes.spawn(specOf(['echo', 'on']), again)).exited).toMatchObject({ code: 0 });
    expect(again.out()).toBe('on\n');
  });
});

/** Neither has a moment in which it sees the other dead and ends the trees itself. */
function killBoth({ pid, guard }: { pid: number; guard: number }): void {
  process.kill(pid, 'SIGSTOP');
  process.kill(guard, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
}

describe('kill -9 of both', () => {
  it('leaves trees that the sweep of a starting worker ends, the escaped one too', async () => {
    const files = ['stubborn', 'escapee'].map((name) => join(here.folder, name)) as [string, string];
    const worker = await startWorker([programOf('stubborn-tree.mjs', [files[0]]), programOf('escapee.mjs', [files[1], 'stay'])]);
    await until('both trees stand', () => pidsIn(files[0]).length === 3 && pidsIn(files[1]).length === 2);
    const pids = files.flatMap(pidsIn);
    killBoth(worker);
    await until('both are dead', () => !isAlive(worker.pid) && !isAlive(worker.guard));
    expect(pids.every(isAlive)).toBe(true);
    const swept = await sweepDispatches({ stateDir: here.stateDir, log: (line) => here.log.push(line) });
    expect(pids.filter(isAlive)).toEqual([]);
    expect(swept.map(({ ended, spoke }) => [typeof ended, spoke])).toEqual([
      ['string', true],
      ['string', true],
    ]);
    expect(await sweepDispatches({ stateDir: here.stateDir, log: () => undefined })).toEqual([]);
  });

  it('ends the first tree before a second attempt starts, even without a sweep (O-40)', async () => {
    const file = join(here.folder, 'stubborn');
    const spec = programOf('stubborn-tree.mjs', [file]);
    const worker = await startWorker([spec]);
    await until('the tree stands', () => pidsIn(file).length === 3);
    const pids = pidsIn(file);
    killBoth(worker);
    const processes = await here.start();
    const alive = join(here.folder, 'alive');
    writeFileSync(alive, '');
    // the second attempt itself looks whether the first one is there (zombies aside)
    const look = 'for pid in $PIDS; do grep -q "^[^)]*) [^ZX]" /proc/$pid/stat 2>/dev/null && echo $pid >> $ALIVE; done; true';
    const env = { ...spec.env, PIDS: pids.join(' '), ALIVE: alive };
    await started(await processes.spawn({ ...specOf(['sh', '-c', look], { env }), ...keyOf(spec), attempt: 2 }, gather())).exited;
    expect(pidsIn(alive)).toEqual([]);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

describe('a second attempt beside the first', () => {
  it('ends the first tree, and holds the record from then on', async () => {
    const file = join(here.folder, 'stubborn');
    const processes = await here.start();
    const spec = programOf('stubborn-tree.mjs', [file]);
    const first = started(await processes.spawn(spec, gather()));
    await until('the first tree stands', () => pidsIn(file).length === 3);
    const second = started(await processes.spawn({ ...specOf(['sleep', '60']), ...keyOf(spec), attempt: 2 }, gather()));
    expect(pidsIn(file).filter(isAlive)).toEqual([]);
    expect(await first.exited).toMatchObject({ signal: 'SIGKILL' });
    first.note({ session: 'late' });
    expect(await processes.record(spec.run, spec.dispatch)).toMatchObject({ attempt: 2, pid: second.pid });
    second.kill();
    await second.exited;
  });
});

describe('the record of an agent whose exit was read', () => {
  it('is no longer told to this worker, but is there for the next should this one die before it has reported', async () => {
    const processes = await here.start();
    // it lives until it has been noted
    const spec = specOf(['cat'], { stdin: 'open' });
    const child = started(await processes.spawn(spec, gather()));
    child.note({ session: 's-1', spoke: true });
    child.closeStdin();
    await child.exited;
    expect(await processes.record(spec.run, spec.dispatch)).toBeUndefined();
    const next = await here.start();
    expect(await next.record(spec.run, spec.dispatch)).toMatchObject({ session: 's-1', spoke: true });
    await processes.close();
    expect(await next.record(spec.run, spec.dispatch)).toBeUndefined();
  });
});

describe('closing', () => {
  it('ends everything, politely where it can, and resolves when all are gone', async () => {
    const file = join(here.folder, 'stubborn');
    const [polite, stubborn] = [gather(), gather()];
    const processes = await here.start();
    const spec = programOf('polite.mjs', []);
    const child = started(await processes.spawn(spec, polite));
    const other = started(await processes.spawn(programOf('stubborn-tree.mjs', [file]), stubborn));
    await until('both stand', () => polite.out().includes('ready') && stubborn.out().includes('ready'));
    const guard = (await processes.record(spec.run, spec.dispatch))?.owner.pid ?? 0;
    await processes.close();
    expect([guard, child.pid, ...pidsIn(file)].filter(isAlive)).toEqual([]);
    expect(await child.exited).toMatchObject({ code: 7 });
    expect(await other.exited).toMatchObject({ signal: 'SIGKILL' });
    await expect(processes.spawn(specOf(['true']), gather())).rejects.toThrow('closed');
  });

  it('has nothing to wait for when nothing runs', async () => {
    const processes = await here.start();
    const from = Date.now();
    await processes.close();
    expect(Date.now() - from).toBeLessThan(2_000);
  });
});

describe('a guard that cannot serve', () => {
  it('is said at the start, with its path', async () => {
    const options = { stateDir: here.stateDir, guardPath: join(here.folder, 'no-guard.js'), log: () => undefined };
    await expect(startProcesses(options)).rejects.toThrow('no-guard.js did not start (exit code 1)');
  });

  it('ends by itself when its pipe is out of step', async () => {
    const guard = await execa(process.execPath, [here.guard.path, here.stateDir], { input: Buffer.alloc(64, 0xff), reject: false });
    expect(guard.stderr).toContain('out of step');
    expect(guard.isTerminated).toBe(false);
  });
});

function keyOf({ key, run, dispatch }: SpawnSpec): Pick<SpawnSpec, 'key' | 'run' | 'dispatch'> {
  return { key, run, dispatch };
}

// Many children, floods and slow readers: memory stays bounded, nobody waits for somebody else's reader.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LineSplitter } from '../../../activities/process/lines.js';
import type { Processes } from '../../../activities/process/process.js';
import { gather, programOf, scratch, specOf, started, until, type Scratch } from './support.js';

const MIB = 1024 * 1024;
let here: Scratch;
let processes: Processes;
let guard: number;
beforeAll(async () => {
  here = await scratch();
  processes = await here.start();
  const spec = specOf(['sleep', '60']);
  const child = started(await processes.spawn(spec, gather()));
  guard = (await processes.record(spec.run, spec.dispatch))?.owner.pid ?? 0;
  child.kill();
  await child.exited;
});
afterAll(() => here.remove());

function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

const onLinux = process.platform === 'linux' ? it : it.skip;

describe('the guard', () => {
  onLinux('is small', () => {
    expect(rssOf(guard)).toBeLessThan(64 * MIB);
  });

  it('starts 200 programs at once, each with its own output and exit', async () => {
    const exits = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const seen = gather();
        const exit = await started(await processes.spawn(specOf(['sh', '-c', `echo ${n}; exit ${n % 3}`]), seen)).exited;
        return `${seen.out().trim()} ${exit.code}`;
      }),
    );
    expect(exits).toEqual(Array.from({ length: 200 }, (_, n) => `${n} ${n % 3}`));
  });

  onLinux('holds a flood back while its reader is slow, and serves others meanwhile', async () => {
    const before = rssOf(guard);
    let bytes = 0;
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow = async (chunk: Buffer): Promise<void> => {
      bytes += chunk.length;
      await gate;
    };
    const flood = started(await processes.spawn(programOf('flood.mjs', ['64']), { stdout: slow, stderr: slow }));
    await until('the flood has begun', () => bytes > 0);
    const others = Array.from({ length: 10 }, async () => started(await processes.spawn(specOf(['true']), gather())).exited);
    await Promise.all(others);
    expect(bytes).toBeLessThan(2 * MIB);
    expect(rssOf(guard) - before).toBeLessThan(32 * MIB);
    release();
    expect((await flood.exited).code).toBe(0);
    expect(bytes).toBe(64 * MIB);
  });

  onLinux('relays 256 MiB in bounded memory', async () => {
    const before = rssOf(guard);
    let bytes = 0;
    let most = 0;
    const count = (chunk: Buffer): void => {
      // looked at every 2 MiB or so: often enough to see a pile
      if ((bytes += chunk.length) % (2 * MIB) < chunk.length) most = Math.max(most, rssOf(guard));
    };
    expect((await started(await processes.spawn(programOf('flood.mjs', ['256']), { stdout: count, stderr: count })).exited).code).toBe(0);
    expect(bytes).toBe(256 * MIB);
    expect(most - before).toBeLessThan(64 * MIB);
  });

  it('kills a flood whose reader never comes back', async () => {
    const stuck = (): Promise<void> => new Promise(() => undefined);
    const flood = started(await processes.spawn(programOf('flood.mjs', ['100000']), { stdout: stuck, stderr: stuck }));
    flood.kill();
    expect(await flood.exited).toMatchObject({ signal: 'SIGKILL' });
  });

  it('outlives a handler that throws: it is logged, and the output goes on', async () => {
    let chunks = 0;
    const broken = (): void => {
      chunks += 1;
      throw new Error('handler of a test');
    };
    const child = started(await processes.spawn(programOf('flood.mjs', ['8']), { stdout: broken, stderr: broken }));
    expect((await child.exited).code).toBe(0);
    expect(chunks).toBeGreaterThan(8);
    expect(here.log.some((line) => line.includes('handler of a test'))).toBe(true);
  });
});

describe('one line of 12 MB (O-09)', () => {
  onLinux('comes through whole, with the worker growing by less than 100 MB', async () => {
    const lengths: number[] = [];
    let most = 0;
    const before = process.memoryUsage.rss();
    const lines = new LineSplitter({ onLine: ({ line }) => lengths.push(line.length) });
    const stdout = (chunk: Buffer): void => {
      lines.push(chunk);
      most = Math.max(most, process.memoryUsage.rss());
    };
    await started(await processes.spawn(programOf('big-line.mjs', ['12000000']), { stdout, stderr: stdout })).exited;
    lines.end();
    expect(lengths).toEqual([5, 12_000_000, 4]);
    expect(most - before).toBeLessThan(100 * MIB);
  });
});

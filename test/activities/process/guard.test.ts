// Children of the guard as a dispatch meets them: started, read, written to, asked to stop, killed.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Processes } from '../../../activities/process/process.js';
import { recordPath } from '../../../activities/process/records.js';
import { gather, isAlive, pidsIn, programOf, scratch, specOf, started, until, type Scratch } from './support.js';

let here: Scratch;
let processes: Processes;
beforeAll(async () => {
  here = await scratch();
  processes = await here.start();
});
afterAll(() => here.remove());

describe('a child of the guard', () => {
  it('hands over its output and exit code, and leaves no record', async () => {
    const seen = gather();
    const spec = specOf(['sh', '-c', 'echo out; echo err >&2; exit 3']);
    const child = started(await processes.spawn(spec, seen));
    expect(await child.exited).toEqual({ code: 3, signal: null, leftovers: 0 });
    expect([seen.out(), seen.err()]).toEqual(['out\n', 'err\n']);
    await until('the record is gone', () => !existsSync(recordPath(here.stateDir, spec.run, spec.dispatch)));
  });

  it('is told apart when a signal of its own ended it', async () => {
    const child = started(await processes.spawn(specOf(['sh', '-c', 'kill -9 $$']), gather()));
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL', leftovers: 0 });
  });

  it('sees the end of stdin at once when nothing is written to it (O-01)', async () => {
    const seen = gather();
    const child = started(await processes.spawn(programOf('echo-stdin.mjs', []), seen));
    expect((await child.exited).code).toBe(0);
    expect(seen.out()).toMatch(/^0 /);
  });

  it('gets a text of 200 KiB on stdin exactly (O-02)', async () => {
    const text = 'grüße, 世界 🌍 '.repeat(10_000);
    const seen = gather();
    const child = started(await processes.spawn(programOf('echo-stdin.mjs', [], { stdin: { text } }), seen));
    await child.exited;
    expect(Buffer.byteLength(text)).toBeGreaterThan(200 * 1024);
    expect(seen.out()).toBe(`${Buffer.byteLength(text)} ${createHash('sha256').update(text).digest('hex')}\n`);
  });

  it('takes input while it runs when stdin stays open', async () => {
    const seen = gather();
    const child = started(await processes.spawn(specOf(['cat'], { stdin: 'open' }), seen));
    child.write('first\n');
    await until('the first line comes back', () => seen.out() === 'first\n');
    child.write('second\n');
    child.closeStdin();
    expect((await child.exited).code).toBe(0);
    expect(seen.out()).toBe('first\nsecond\n');
  });

  it('that does not read its stdin ends in peace', async () => {
    const child = started(await processes.spawn(specOf(['true'], { stdin: { text: 'x'.repeat(4 * 1024 * 1024) } }), gather()));
    expect((await child.exited).code).toBe(0);
    const next = started(await processes.spawn(specOf(['true']), gather()));
    expect((await next.exited).code).toBe(0);
  });

  it('gets the environment it was given, its marker, and nothing else', async () => {
    const seen = gather();
    const env = { PATH: '/usr/bin:/bin', ONE: '1 = one' };
    await started(await processes.spawn(specOf(['env'], { env }), seen)).exited;
    const names = seen
      .out()
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names.sort()).toEqual(['ONE', 'PATH', 'SLUICE_DISPATCH_KEY']);
    expect(seen.out()).toContain('ONE=1 = one\n');
  });

  it('is asked to stop with its own signal, politely', async () => {
    const seen = gather();
    const child = started(await processes.spawn(programOf('polite.mjs', [], { stopSignal: 'SIGINT' }), seen));
    await until('it is ready', () => seen.out().includes('ready'));
    child.stop();
    expect(await child.exited).toEqual({ code: 7, signal: null, leftovers: 0 });
    expect(seen.out()).toContain('stopped by SIGINT\n');
  });
});

describe('ending a tree', () => {
  it('kills three generations that ignore every signal (O-04)', async () => {
    const file = join(here.folder, 'stubborn');
    const seen = gather();
    const child = started(await processes.spawn(programOf('stubborn-tree.mjs', [file]), seen));
    await until('all three run', () => seen.out().includes('ready'));
    const pids = pidsIn(file);
    child.stop();
    await until('all three were asked', () => pidsIn(`${file}.signals`).length === 3);
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    child.kill();
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL', leftovers: 0 });
    expect(pids.map(isAlive)).toEqual([false, false, false]);
  });

  it('reaches what left group, session and parent', async () => {
    const file = join(here.folder, 'escapee');
    const seen = gather();
    const child = started(await processes.spawn(programOf('escapee.mjs', [file, 'stay']), seen));
    await until('the escapee runs', () => seen.out().includes('ready'));
    const pids = pidsIn(file);
    expect(pids.map(isAlive)).toEqual([true, true]);
    child.kill();
    await child.exited;
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it('ends what the child left in its group, counts it, and keeps all that the child wrote (O-03)', async () => {
    const file = join(here.folder, 'sleeper');
    const seen = gather();
    const child = started(await processes.spawn(programOf('leaves-sleep.mjs', [file]), seen));
    expect(await child.exited).toEqual({ code: 0, signal: null, leftovers: 1 });
    expect(seen.out().trim().split('\n')).toHaveLength(300);
    expect(pidsIn(file).map(isAlive)).toEqual([false]);
  });

  it('does not wait for one that left the group and holds the pipes; on a clean exit it lives on', async () => {
    const file = join(here.folder, 'holder');
    const seen = gather();
    const child = started(await processes.spawn(programOf('escapee.mjs', [file, 'exit']), seen));
    const exit = await child.exited;
    const [, escapee = 0] = pidsIn(file);
    try {
      expect([exit.code, exit.leftovers, isAlive(escapee)]).toEqual([0, 0, true]);
      expect(seen.out()).toBe('ready\n');
    } finally {
      process.kill(escapee, 'SIGKILL');
    }
  });
});

describe('what cannot be started', () => {
  it.each([
    ['a program that is not on PATH', ['no-such-program'], {}, { code: 'ENOENT', missing: 'program' }],
    ['a program at a path that is not there', ['/no/such/program'], {}, { code: 'ENOENT', missing: 'program' }],
    ['a directory that is not there', ['true'], { cwd: '/no/such/folder' }, { code: 'ENOENT', missing: 'directory' }],
    ['a file as directory', ['true'], { cwd: '/etc/hostname' }, { code: 'ENOTDIR', missing: 'directory' }],
    ['an argument of 200 KiB', ['true', 'x'.repeat(200 * 1024)], {}, { code: 'E2BIG' }],
  ])('%s is a value with a code', async (_, argv, more, failure) => {
    const result = await processes.spawn(specOf(argv, more), gather());
    expect(result).toMatchObject({ ...failure, message: expect.any(String) });
  });

  it('a file without the right to be executed is EACCES', async () => {
    const file = join(here.folder, 'plain');
    await writeFile(file, '#!/bin/sh\n');
    await chmod(file, 0o644);
    expect(await processes.spawn(specOf([file]), gather())).toMatchObject({ code: 'EACCES' });
  });

  it('nothing is started when its record cannot be written', async () => {
    const file = join(here.folder, 'ran');
    await mkdir(join(here.stateDir, 'dispatches'), { recursive: true });
    await writeFile(join(here.stateDir, 'dispatches', 'run-blocked'), 'a file where a folder should be');
    expect(await processes.spawn(specOf(['touch', file], { run: 'run-blocked' }), gather())).toMatchObject({ code: 'ENOTDIR' });
    expect(existsSync(file)).toBe(false);
  });
});

// Telling one process from another with the same pid, and ending it. Real processes.

import { describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { endProcess, identify, isRunning, processStart } from '../../temporal-dev/process-identity.js';

/** @param stubborn ignores SIGTERM */
async function child(stubborn = false) {
  const code = `${stubborn ? "process.on('SIGTERM', () => {});" : ''} setInterval(() => {}, 1000); console.log('up')`;
  const started = execa(process.execPath, ['-e', code], { reject: false });
  await new Promise((resolve) => started.stdout.once('data', resolve));
  const identity = await identify(started.pid!);
  if (!identity) throw new Error('the child has no identity');
  return { started, identity };
}

describe('process identity', () => {
  it('is the same each time it is read, and another for another process', async () => {
    const self = await processStart(process.pid);
    expect(self).toBe(await processStart(process.pid));
    const { started, identity } = await child();
    expect(await isRunning(identity)).toBe(true);
    expect(await isRunning({ ...identity, start: `${identity.start}x` })).toBe(false);
    await endProcess(identity, 5_000);
    await started;
  });

  it('is gone with its process, and with a pid that nobody has', async () => {
    const { started, identity } = await child();
    started.kill('SIGKILL');
    await started;
    expect(await isRunning(identity)).toBe(false);
    expect(await identify(2 ** 22 + 1)).toBeUndefined();
  });

  it('takes a zombie for gone', async () => {
    // the shell's child ends while the shell, replaced by a sleep, never collects it
    const parent = execa('sh', ['-c', 'true & echo $!; exec sleep 60'], { reject: false });
    const line = await new Promise<string>((resolve) => parent.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    const deadline = Date.now() + 5_000;
    while ((await processStart(Number(line))) !== undefined && Date.now() < deadline);
    expect(await processStart(Number(line))).toBeUndefined();
    parent.kill('SIGKILL');
    await parent;
  });
});

describe('endProcess', () => {
  it('ends a process that listens to SIGTERM', async () => {
    const { started, identity } = await child();
    expect(await endProcess(identity, 5_000)).toBe('ended');
    expect(await started).toMatchObject({ signal: 'SIGTERM' });
  });

  it('kills one that does not', async () => {
    const { started, identity } = await child(true);
    expect(await endProcess(identity, 200)).toBe('killed');
    expect(await started).toMatchObject({ signal: 'SIGKILL' });
  });

  it('touches nobody else who has the pid now', async () => {
    const { started, identity } = await child();
    expect(await endProcess({ pid: identity.pid, start: 'another' }, 200)).toBe('absent');
    expect(await isRunning(identity)).toBe(true);
    await endProcess(identity, 5_000);
    await started;
  });
});

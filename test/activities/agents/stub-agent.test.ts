// The scripted agent that other tests rest on does what its script says.

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { claudeAdapter } from '../../../activities/agents/claude.js';
import { LineSplitter } from '../../../activities/process/lines.js';
import type { AgentEvent } from '../../../model/agent/events.js';
import { clockAt } from './streams.js';

const STUB = fileURLToPath(new URL('../../support/stub-agent.mjs', import.meta.url));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-stub-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function start(script: unknown, { prompt = '', args = [] as string[], env = {} } = {}) {
  const file = path.join(dir, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  return execa(STUB, [`--stub=${file}`, ...args], { cwd: dir, input: prompt, reject: false, env, encoding: 'buffer' });
}

/** What the claude adapter reads out of a stub's stdout. */
function events(stdout: Uint8Array): AgentEvent[] {
  const reader = claudeAdapter(clockAt('2026-11-30T17:00:00Z')).reader();
  const read: AgentEvent[] = [];
  const lines = new LineSplitter({ onLine: ({ line }) => read.push(...reader.stdout(line)) });
  lines.push(Buffer.from(stdout));
  lines.end();
  return read;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ESRCH: nothing has this pid
  }
}

describe('the stub agent', () => {
  it('speaks as claude does', async () => {
    const steps = [{ init: true }, { say: 'call {{call}}: {{prompt}}' }, { tool: 'Bash' }, { toolResult: 'x' }, { ok: 'fine' }];
    const ended = await start(steps, { prompt: 'ä𝄞', args: ['--resume', 's-1'] });
    expect(events(ended.stdout)).toEqual([
      { kind: 'session', id: 's-1' },
      { kind: 'progress', text: 'init' },
      { kind: 'message', text: 'call 1: ä𝄞' },
      { kind: 'tool', name: 'Bash', text: '{}' },
      { kind: 'progress', text: 'x' },
      expect.objectContaining({ kind: 'usage' }),
      { kind: 'result', ok: true, text: 'fine' },
    ]);
  });

  it('writes noise and lines in two parts, and a last one without newline (O-10)', async () => {
    const steps = [
      { line: 'banner' },
      { raw: '{"type":"assi' },
      { sleep: 100 },
      { raw: 'stant","message":{"content":[{"type":"text","text":"hi"}]}}\n' },
    ];
    const ended = await start([
      ...steps,
      { line: [1, 2] },
      { line: '' },
      { raw: '{"type":"result","subtype":"success","is_error":false}' },
    ]);
    expect(events(ended.stdout)).toEqual([
      { kind: 'message', text: 'hi' },
      { kind: 'result', ok: true, text: '' },
    ]);
  });

  it('plays another list at each call, also of calls at once', async () => {
    const script = { calls: [[{ raw: 'one' }], [{ raw: 'two' }], [{ raw: 'more' }, { exit: 3 }]] };
    const ended = await Promise.all([1, 2, 3, 4].map(() => start(script)));
    expect(ended.map((end) => Buffer.from(end.stdout).toString()).sort()).toEqual(['more', 'more', 'one', 'two']);
    expect(readFileSync(path.join(dir, 'script.json.calls'), 'utf8').trim().split('\n')).toHaveLength(4);
  });

  it('writes down what it was given (O-02)', async () => {
    const prompt = 'ö'.repeat(100_000);
    await start([{ sha256: 'sha' }, { savePrompt: 'prompt' }, { saveEnv: 'env' }], { prompt, env: { PLANTED: '1' } });
    expect(readFileSync(path.join(dir, 'sha'), 'utf8')).toBe(createHash('sha256').update(prompt).digest('hex'));
    expect(readFileSync(path.join(dir, 'prompt'), 'utf8')).toBe(prompt);
    expect(JSON.parse(readFileSync(path.join(dir, 'env'), 'utf8'))).toMatchObject({ PLANTED: '1' });
  });

  it('kills itself after what it said, which ends with the signal (O-05)', async () => {
    const ended = await start([{ say: 'hi' }, { kill: 'SIGKILL' }]);
    expect(ended.signal).toBe('SIGKILL');
    expect(events(ended.stdout)).toEqual([{ kind: 'message', text: 'hi' }]);
  });

  it('refuses inside another session (O-06)', async () => {
    const ended = await start([{ refuseIf: 'PLANTED' }, { ok: 'x' }], { env: { PLANTED: '1' } });
    expect(ended.exitCode).toBe(1);
    expect(Buffer.from(ended.stderr).toString()).toContain('inside another session');
  });

  it('grows a tree that ignores the polite signals, all of it (O-04)', async () => {
    const running = start([{ tree: 'pids' }, { write: { file: 'ready', text: '' } }, { waitFor: 'go' }, { kill: 'SIGKILL' }]);
    const pids = await written(path.join(dir, 'ready'), path.join(dir, 'pids'));
    try {
      for (const pid of pids) process.kill(pid, 'SIGTERM');
      for (const pid of pids) process.kill(pid, 'SIGINT');
      expect(pids.map(isAlive)).toEqual([true, true, true]);
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGKILL');
    }
    expect((await running).signal).toBe('SIGKILL');
  });

  it('is found with its script beside a link to it', async () => {
    const link = path.join(dir, 'claude');
    symlinkSync(STUB, link);
    writeFileSync(path.join(dir, 'stub-agent.json'), JSON.stringify([{ raw: 'beside' }]));
    expect((await execa(link, { input: '' })).stdout).toBe('beside');
  });

  it('does not go on over a step that it does not know', async () => {
    const ended = await start([{ dance: true }]);
    expect(ended.exitCode).toBe(1);
    expect(Buffer.from(ended.stderr).toString()).toContain('no step "dance"');
  });
});

/** The pids in `file`, once `mark` is there. */
async function written(mark: string, file: string): Promise<number[]> {
  for (const end = Date.now() + 10_000; Date.now() < end;) {
    try {
      readFileSync(mark);
      return readFileSync(file, 'utf8').trim().split('\n').map(Number);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20)); // not yet
    }
  }
  throw new Error(`${mark} was not written in 10 s`);
}

// The real claude, from argv to AgentEvents, on a model scripted on loopback (agent-clis.md). Passes with 2.1.197 and 2.1.332.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addUsage, countUsage } from '../../model/agent/usage.js';
import { Bench, of } from './harness.js';
import type { Turn } from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

/** What the model served, by Sluice's one meaning. */
function served() {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = bench.model.served().anthropic;
  return {
    inputTokens: input_tokens + cache_creation_input_tokens,
    cachedInputTokens: cache_read_input_tokens,
    outputTokens: output_tokens,
  };
}

function used(...turns: Turn[]) {
  return addUsage(turns.map((turn) => countUsage(of(turn, 'usage')).usage!));
}

describe('the real claude', () => {
  it('answers a text turn, its usage being what the model served', async () => {
    const turn = await bench.turn('claude', 'text');
    expect(turn.exit).toEqual({ code: 0, signal: null });
    expect(of(turn, 'session')).toHaveLength(1);
    expect(of(turn, 'message')).toEqual([{ kind: 'message', text: 'All done.' }]);
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: true, text: 'All done.' }]);
    expect(used(turn)).toMatchObject({ ...served(), turns: 1 });
    expect(used(turn)!.costUsd).toBeGreaterThan(0);
  });

  it('gets a prompt that begins with a dash, and one of 200 KiB, as they are (O-02)', async () => {
    const long = '--help ä𝄞 '.repeat(15_000);
    await bench.turn('claude', 'text', { prompt: long });
    expect(JSON.stringify(bench.model.requests().at(-1)!.body.messages)).toContain(long.trim());
  });

  it.each([
    ['full', true],
    ['edit', true],
    ['read', false],
  ] as const)('with permission %s: writes a file by a tool: %s', async (permissions, writes) => {
    const turn = await bench.turn('claude', 'tool', { permissions });
    const out = path.join(bench.dir, 'out.txt');
    expect(of(turn, 'tool').map((event) => event.name)).toEqual(['Bash']);
    expect(existsSync(out) ? readFileSync(out, 'utf8') : undefined).toBe(writes ? 'hello\n' : undefined);
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: true, text: 'All done.' }]);
    expect(used(turn)).toMatchObject({ ...served(), turns: 2 });
  });

  it('gives a structured answer that satisfies a schema', async () => {
    const output = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
    const turn = await bench.turn('claude', 'json', { output });
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: true, text: expect.anything(), structured: { answer: 'done' } }]);
  });

  it('continues a session in a new process, whose usage adds up to what the model served', async () => {
    const first = await bench.turn('claude', 'text', { prompt: 'Remember seven.' });
    const session = of(first, 'session')[0]!.id;
    const second = await bench.turn('claude', 'text', { prompt: 'Say it.', session });
    expect(of(second, 'session')).toEqual([{ kind: 'session', id: session }]);
    expect(JSON.stringify(bench.model.requests().at(-1)!.body.messages)).toContain('Remember seven.');
    expect(used(first, second)).toMatchObject(served());
  });

  it('is refused by quota with the reset of its subscription', async () => {
    const env = {
      ANTHROPIC_API_KEY: undefined,
      CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    };
    const turn = await bench.turn('claude', 'limit', {}, { env });
    const [{ quota }] = of(turn, 'quota') as [ReturnType<typeof of<'quota'>>[0]];
    expect(quota).toMatchObject({ exact: true, text: expect.stringContaining('limit') });
    // the model says two hours; the test may be a minute late
    expect((Date.parse(quota.resetAt!) - Date.now()) / 60_000).toBeGreaterThan(118);
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: false }]);
    expect(of(turn, 'message')).toEqual([]);
  });

  it.each([
    ['limit', 'quota', undefined],
    ['login', 'login', 401],
    ['credit', 'billing', 400],
    ['overloaded', 'server', 529],
  ] as const)('says of a model that answers %s: %s, without speech', async (mode, fault, http) => {
    const turn = await bench.turn('claude', mode);
    if (fault === 'quota') expect(of(turn, 'quota')).toHaveLength(1);
    else expect(of(turn, 'error')).toEqual([{ kind: 'error', fault, http, message: expect.anything() }]);
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: false }]);
    expect([...of(turn, 'message'), ...of(turn, 'tool')]).toEqual([]);
  });

  it('says of a model that is not there: server', async () => {
    await bench.model.close();
    expect(of(await bench.turn('claude', 'text'), 'error')).toMatchObject([{ fault: 'server' }]);
  });

  it('says without any login: login', async () => {
    const turn = await bench.turn('claude', 'text', {}, { env: { ANTHROPIC_API_KEY: undefined } });
    expect(of(turn, 'error')).toMatchObject([{ fault: 'login' }]);
  });

  it('interrupted while the model is silent exits 0, and nothing says success', async () => {
    const asked = async (stop: () => void) => {
      while (bench.model.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      stop();
    };
    const turn = await bench.turn('claude', 'hang', {}, { watch: (event, stop) => event.kind === 'session' && void asked(stop) });
    expect(turn.exit).toEqual({ code: 0, signal: null });
    // 2.1.197 tells no result; 2.1.332 tells one that failed when it was early enough
    expect(of(turn, 'result').filter((event) => event.ok)).toEqual([]);
    expect([...of(turn, 'message'), ...of(turn, 'tool')]).toEqual([]);
  });

  it('stops at its limit of turns', async () => {
    const turn = await bench.turn('claude', 'tool', { permissions: 'full', maxTurns: 1 });
    expect(of(turn, 'error')).toEqual([{ kind: 'error', fault: 'task', message: expect.stringContaining('error_max_turns') }]);
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: false }]);
  });

  it('stops at its budget, its usage told whole', async () => {
    const turn = await bench.turn('claude', 'tool', { permissions: 'full', maxCost: 0.0001 });
    expect(of(turn, 'error')).toEqual([{ kind: 'error', fault: 'budget', message: expect.stringContaining('budget') }]);
    expect(used(turn)).toMatchObject(served());
  });

  it('says that a session does not exist', async () => {
    const turn = await bench.turn('claude', 'text', { session: '11111111-1111-1111-1111-111111111111' });
    expect(of(turn, 'error').at(-1)).toMatchObject({ fault: 'task', message: expect.stringContaining('No conversation found') });
    expect(bench.model.requests()).toEqual([]);
  });

  it('refuses an empty prompt, and that is told', async () => {
    const turn = await bench.turn('claude', 'text', { prompt: '' });
    expect(of(turn, 'error')).toMatchObject([{ fault: 'task', message: expect.stringContaining('Input must be provided') }]);
  });
});

// The real codex, from argv to AgentEvents, on a model scripted on loopback (agent-clis.md).

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addUsage, countUsage } from '../../model/agent/usage.js';
import type { Usage } from '../../model/agent/events.js';
import { Bench, of } from './harness.js';
import type { Turn } from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

/** What the model served, by Sluice's one meaning. */
function served() {
  const { input_tokens, cached_tokens, output_tokens, reasoning_tokens } = bench.model.served().openai;
  return {
    inputTokens: input_tokens - cached_tokens,
    cachedInputTokens: cached_tokens,
    outputTokens: output_tokens,
    reasoningTokens: reasoning_tokens,
  };
}

function used(turn: Turn, before?: Usage) {
  return countUsage(of(turn, 'usage'), before);
}

describe('the real codex', () => {
  it('answers a text turn, its usage being what the model served and its cost unknown', async () => {
    const turn = await bench.turn('codex', 'text');
    expect(turn.exit).toEqual({ code: 0, signal: null });
    expect(of(turn, 'message')).toEqual([{ kind: 'message', text: 'All done.' }]);
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: true, text: 'All done.' }]);
    expect(used(turn).usage).toEqual({ ...served(), turns: 1 });
  });

  it('warns of an unknown model in an item of type error, and succeeds', async () => {
    const turn = await bench.turn('codex', 'text');
    expect(of(turn, 'progress')).toContainEqual({ kind: 'progress', text: expect.stringContaining('Model metadata') });
    expect(of(turn, 'error')).toEqual([]);
  });

  it('gets a prompt that begins with a dash, and one of 200 KiB, as they are (O-02)', async () => {
    const long = '--help ä𝄞 '.repeat(15_000);
    await bench.turn('codex', 'text', { prompt: long });
    expect(JSON.stringify(bench.model.requests().at(-1)!.body.input)).toContain(long.trim());
  });

  it.each([
    ['full', true],
    ['edit', true],
    ['read', false],
  ] as const)('with permission %s: writes a file by a tool: %s', async (permissions, writes) => {
    const turn = await bench.turn('codex', 'tool', { permissions });
    const out = path.join(bench.dir, 'out.txt');
    expect(existsSync(out) ? readFileSync(out, 'utf8') : undefined).toBe(writes ? 'hello\n' : undefined);
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: true, text: 'All done.' }]);
    expect(used(turn).usage).toMatchObject(served());
  });

  it('gives a structured answer as its last message', async () => {
    const output = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'], additionalProperties: false };
    const schemaFile = path.join(bench.dir, 'schema.json');
    writeFileSync(schemaFile, JSON.stringify(output));
    const turn = await bench.turn('codex', 'json', { output, schemaFile });
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: true, text: '{"answer":"done"}' }]);
    expect(JSON.stringify(bench.model.requests().at(-1)!.body)).toContain('"json_schema"');
  });

  it('continues a session, whose running totals are subtracted', async () => {
    const parts: Usage[] = [];
    let before: Usage | undefined;
    let session: string | undefined;
    for (const prompt of ['Remember seven.', 'Say it.', 'Again.']) {
      const turn = await bench.turn('codex', 'text', { prompt, permissions: 'read', ...(session === undefined ? {} : { session }) });
      expect(of(turn, 'session')).toEqual([{ kind: 'session', id: session ?? expect.any(String) }]);
      session = of(turn, 'session')[0]!.id;
      const { usage, thread } = used(turn, before);
      parts.push(usage!);
      before = thread;
    }
    expect(parts[2]).toEqual(parts[0]);
    expect(addUsage(parts)).toEqual({ ...served(), turns: 3 });
    expect(JSON.stringify(bench.model.requests().at(-1)!.body.input)).toContain('Remember seven.');
  });

  it('is refused by quota with a time in its words, at most half an hour off', async () => {
    const turn = await bench.turn('codex', 'limit');
    const [{ quota }] = of(turn, 'quota') as [ReturnType<typeof of<'quota'>>[0]];
    expect(quota).toMatchObject({ exact: false, text: expect.stringContaining('hit your usage limit') });
    // two hours, cut to 30 min
    const minutes = (Date.parse(quota.resetAt!) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(28);
    expect(minutes).toBeLessThanOrEqual(30);
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: false }]);
  });

  it.each([
    ['credit', 'quota', undefined],
    ['login', 'login', 401],
    ['overloaded', 'server', undefined],
  ] as const)('says of a model that answers %s: %s, without speech', async (mode, fault, http) => {
    const turn = await bench.turn('codex', mode);
    if (fault === 'quota') expect(of(turn, 'quota')).toHaveLength(1);
    else expect(of(turn, 'error')).toEqual([{ kind: 'error', fault, message: expect.anything(), ...(http === undefined ? {} : { http }) }]);
    expect(of(turn, 'result')).toEqual([{ kind: 'result', ok: false }]);
    expect([...of(turn, 'message'), ...of(turn, 'tool')]).toEqual([]);
  });

  it('interrupted while the model is silent exits 1, without a result', async () => {
    const asked = async (stop: () => void) => {
      while (bench.model.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      stop();
    };
    const turn = await bench.turn('codex', 'hang', {}, { watch: (event, stop) => event.kind === 'session' && void asked(stop) });
    expect(turn.exit).toEqual({ code: 1, signal: null });
    expect(turn.events.filter((event) => event.kind !== 'session' && event.kind !== 'progress')).toEqual([]);
  });

  it('says that a thread does not exist', async () => {
    const turn = await bench.turn('codex', 'text', { session: '11111111-1111-1111-1111-111111111111' });
    expect(of(turn, 'error')).toMatchObject([{ fault: 'task', message: expect.stringContaining('no rollout found') }]);
    expect(bench.model.requests()).toEqual([]);
  });

  it('refuses an empty prompt, and that is told', async () => {
    const turn = await bench.turn('codex', 'text', { prompt: '' });
    expect(of(turn, 'error')).toMatchObject([{ fault: 'task', message: expect.stringContaining('No prompt') }]);
  });
});

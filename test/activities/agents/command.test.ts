// A user's own agent: its template, and its two forms of output.

import { describe, expect, it } from '@jest/globals';
import type { Adapter, TurnRequest } from '../../../activities/agents/adapter.js';
import { ARGUMENT_LIMIT, commandAdapter } from '../../../activities/agents/command.js';
import type { AgentEvent } from '../../../model/agent/events.js';
import type { AgentConfig } from '../../../model/config.js';
import { EXIT_0, EXIT_1, clockAt, play } from './streams.js';

const NOW = '2026-11-30T17:00:00.000Z';
const turn: TurnRequest = { prompt: 'Do {model}.', permissions: 'edit', args: [], promptFile: '/scratch/prompt', root: false };

function adapterOf(entry: AgentConfig): Adapter {
  const made = commandAdapter(entry, clockAt(NOW));
  if (!made.ok) throw new Error(made.reason);
  return made.adapter;
}

function commandOf(entry: AgentConfig, more: Partial<TurnRequest> = {}) {
  return adapterOf(entry).command(entry.argv!, { ...turn, ...more });
}

describe('the command of an own agent', () => {
  it('gets the prompt on stdin unless its template has a place for it', () => {
    expect(commandOf({ argv: ['./agent.sh', '--quiet'] })).toEqual({
      argv: ['./agent.sh', '--quiet'],
      env: {},
      stdin: { text: 'Do {model}.' },
    });
  });

  it('gets the prompt as one argument, braces in it untouched', () => {
    const command = commandOf({ argv: ['a', '--task={prompt}', '--', '{prompt}'] }, { model: 'm' });
    expect(command).toEqual({ argv: ['a', '--task=Do {model}.', '--', 'Do {model}.'], env: {}, stdin: 'ignore' });
  });

  it('gets the prompt as a file', () => {
    expect(commandOf({ argv: ['a', '@{promptFile}'] })).toEqual({ argv: ['a', '@/scratch/prompt'], env: {}, stdin: 'ignore' });
  });

  it.each([
    ['is larger than an argument may be', 'ä'.repeat(ARGUMENT_LIMIT / 2 + 1)],
    ['holds a NUL byte', 'a\0b'],
  ])('gets a prompt on stdin after all that %s (O-02)', (_how, prompt) => {
    expect(commandOf({ argv: ['a', '--task', '{prompt}', '-q'] }, { prompt })).toEqual({
      argv: ['a', '-q'],
      env: {},
      stdin: { text: prompt },
    });
  });

  it('takes a prompt of exactly the limit as an argument', () => {
    const prompt = 'x'.repeat(ARGUMENT_LIMIT);
    expect(commandOf({ argv: ['a', '{prompt}'] }, { prompt }).argv[1]).toBe(prompt);
  });

  it('leaves out a word without a value, with the flag before it', () => {
    const argv = ['a', '--model', '{model}', '--resume={session}', '-v', 'x'];
    expect(commandOf({ argv }).argv).toEqual(['a', '-v', 'x']);
    expect(commandOf({ argv }, { model: 'm', session: 's' }).argv).toEqual(['a', '--model', 'm', '--resume=s', '-v', 'x']);
  });

  it('puts the node own arguments last', () => {
    expect(commandOf({ argv: ['a'] }, { args: ['--x'] }).argv).toEqual(['a', '--x']);
  });

  it('can continue a session only when its template has a place for one', () => {
    expect(adapterOf({ argv: ['a'] }).abilities.continue).toBe(false);
    expect(adapterOf({ argv: ['a', '{session}'] }).abilities.continue).toBe(true);
  });

  it.each([
    [{ argv: ['a'], prompt: 'arg' } as const, 'no {prompt}'],
    [{ argv: ['a'], prompt: 'file' } as const, 'no {promptFile}'],
  ])('is refused when the prompt has no place in the template', (entry, reason) => {
    const made = commandAdapter({ ...entry, argv: [...entry.argv] }, clockAt(NOW));
    expect(made).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});

describe('the stream of an own agent', () => {
  const ndjson = (lines: (string | object)[]): AgentEvent[] =>
    play(adapterOf({ argv: ['a'], output: 'ndjson' }).reader(), {
      out: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))),
      exit: EXIT_0,
    });

  it('is AgentEvents as they are, with defaults for what it does not count', () => {
    const lines = [
      { kind: 'session', id: 's' },
      { kind: 'message', text: 'hi', extra: 1 },
      { kind: 'usage', usage: { inputTokens: 3, outputTokens: 4 } },
      { kind: 'error', fault: 'login', message: 'no', http: 401 },
      { kind: 'result', ok: true, structured: { a: [1] } },
    ];
    expect(ndjson(lines)).toEqual([
      { kind: 'session', id: 's' },
      { kind: 'message', text: 'hi' },
      {
        kind: 'usage',
        usage: { inputTokens: 3, cachedInputTokens: 0, outputTokens: 4, reasoningTokens: 0, turns: 1 },
        cumulative: 'turn',
      },
      { kind: 'error', fault: 'login', message: 'no', http: 401 },
      { kind: 'result', ok: true, structured: { a: [1] } },
    ]);
  });

  it('passes over what is no event (O-10)', () => {
    const noise = [
      'hello',
      '',
      '{"kind":"mess',
      '[1,2]',
      'null',
      '{}',
      { kind: 'other' },
      { kind: 'result', ok: 'yes' },
      { kind: 'usage', usage: { inputTokens: -1 } },
    ];
    expect(ndjson([...noise, { kind: 'result', ok: true }])).toEqual([{ kind: 'result', ok: true }]);
  });

  it.each([
    [
      { exact: true, resetAt: '2026-12-02T17:00:00Z', text: 't' },
      { exact: true, resetAt: '2026-12-02T17:00:00.000Z', text: 't' },
    ],
    [
      { exact: true, resetAt: '2027-12-02T17:00:00Z', text: 't' },
      { exact: true, resetAt: '2026-12-08T17:00:00.000Z', text: 't' },
    ],
    [
      { resetAt: '2026-12-02T17:00:00Z', text: 't' },
      { exact: false, resetAt: '2026-11-30T17:30:00.000Z', text: 't' },
    ],
    [{ text: 'try again in 2m' }, { exact: false, resetAt: '2026-11-30T17:02:00.000Z', text: 'try again in 2m' }],
    [{ text: 'later' }, { exact: false, text: 'later' }],
  ])('caps its quota %j', (quota, capped) => {
    expect(ndjson([{ kind: 'quota', quota }])).toEqual([{ kind: 'quota', quota: capped }]);
  });

  it('in plain text is no event, and the quota of a failing exit is read from the last line of stderr only', () => {
    const text = (stream: { out?: string[]; err?: string[] }, exit = EXIT_1) =>
      play(adapterOf({ argv: ['a'] }).reader(), { ...stream, exit });
    expect(text({ out: ['usage limit reached'] })).toEqual([]);
    expect(text({ err: ['usage limit reached, try again in 10 minutes', ''] })).toEqual([
      { kind: 'quota', quota: { exact: false, resetAt: '2026-11-30T17:10:00.000Z', text: 'usage limit reached, try again in 10 minutes' } },
    ]);
    expect(text({ err: ['usage limit reached', 'then it broke'] })).toEqual([]);
    expect(text({ err: ['usage limit reached'] }, EXIT_0)).toEqual([]);
  });
});

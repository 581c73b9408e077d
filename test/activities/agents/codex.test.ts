// How a turn of codex is started, what is read out of its recorded streams, and the traps in them.

import { describe, expect, it } from '@jest/globals';
import type { TurnRequest } from '../../../activities/agents/adapter.js';
import { codexAdapter } from '../../../activities/agents/codex.js';
import type { AgentEvent } from '../../../model/agent/events.js';
import { EXIT_0, EXIT_1, clockAt, fixture, play, telling } from './streams.js';
import type { Exit } from './streams.js';

const NOW = '2026-11-30T19:25:00.000Z';
const adapter = codexAdapter(clockAt(NOW));
const turn: TurnRequest = { prompt: 'Do it.', permissions: 'edit', args: [], promptFile: '/scratch/prompt', root: false };

describe('the command of codex', () => {
  const head = ['codex', 'exec', '--json', '--skip-git-repo-check'];
  const never = ['-c', 'approval_policy="never"'];
  it.each([
    ['read', ['-s', 'read-only', ...never]],
    ['edit', ['-s', 'workspace-write', ...never]],
    ['full', ['--dangerously-bypass-approvals-and-sandbox']],
  ] as const)('gives the permission %s its flags', (permissions, flags) => {
    expect(adapter.command(['codex'], { ...turn, permissions }).argv).toEqual([...head, ...flags, '-']);
  });

  it('puts every option before resume, which knows none', () => {
    const request: TurnRequest = {
      ...turn,
      model: 'gpt-5',
      output: {},
      schemaFile: '/scratch/schema',
      args: ['-c', 'x=1'],
      session: 't-1',
    };
    expect(adapter.command(['codex'], request).argv.slice(8)).toEqual([
      ...['-m', 'gpt-5', '--output-schema', '/scratch/schema', '-c', 'x=1'],
      ...['resume', 't-1', '-'],
    ]);
  });

  it.each(['--help', '', 'a\0b𝄞', 'ä'.repeat(200_000)])('gives any prompt by stdin as it is', (prompt) => {
    const command = adapter.command(['codex'], { ...turn, prompt });
    expect(command.stdin).toEqual({ text: prompt });
    expect(command.argv.at(-1)).toBe('-');
    expect(command.argv.join(' ').length).toBeLessThan(200);
  });
});

function read(out: readonly (string | object)[], exit: Exit, err: readonly string[] = []): AgentEvent[] {
  const lines = out.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return play(adapter.reader(), { out: lines, err, exit });
}

function usage(inputTokens: number, cachedInputTokens: number, outputTokens: number, reasoningTokens: number): AgentEvent {
  return { kind: 'usage', usage: { inputTokens, cachedInputTokens, outputTokens, reasoningTokens, turns: 1 }, cumulative: 'thread' };
}

const FAILED: AgentEvent = { kind: 'result', ok: false };
const SAID = 'All done: wrote out.txt.';
const shell: AgentEvent = { kind: 'tool', name: 'shell', text: "/bin/bash -lc 'echo hello > out.txt'" };
const words = (text: string) => expect.stringContaining(text) as unknown as string;

const recorded: [file: string, exit: Exit, events: AgentEvent[]][] = [
  ['codex-ok', EXIT_0, [{ kind: 'message', text: SAID }, usage(200, 1000, 30, 5), { kind: 'result', ok: true, text: SAID }]],
  ['codex-tool', EXIT_0, [shell, { kind: 'message', text: SAID }, usage(400, 2000, 60, 10), { kind: 'result', ok: true, text: SAID }]],
  ['codex-resumed', EXIT_0, [{ kind: 'message', text: 'done' }, usage(120, 80, 40, 10), { kind: 'result', ok: true, text: 'done' }]],
  ['codex-401', EXIT_1, [{ kind: 'error', fault: 'login', message: words('401 Unauthorized'), http: 401 }, FAILED]],
  ['codex-no-key', EXIT_1, [{ kind: 'error', fault: 'login', message: 'Missing environment variable: `MOCK_KEY`.' }, FAILED]],
  ['codex-500', EXIT_1, [{ kind: 'error', fault: 'server', message: words('high demand') }, FAILED]],
  ['codex-429', EXIT_1, [{ kind: 'quota', quota: { exact: false, text: words('429 Too Many Requests') } }, FAILED]],
  [
    'codex-quota',
    EXIT_1,
    [{ kind: 'quota', quota: { exact: false, text: 'Quota exceeded. Check your plan and billing details.' } }, FAILED],
  ],
  // 8:55 PM of a host one hour east is 19:55 UTC, cut to half an hour from now
  [
    'codex-usage-limit',
    EXIT_1,
    [{ kind: 'quota', quota: { resetAt: '2026-11-30T19:55:00.000Z', exact: false, text: words('You’ve hit your usage limit') } }, FAILED],
  ],
  [
    'codex-usage-limit-date',
    EXIT_1,
    [{ kind: 'quota', quota: { resetAt: '2026-11-30T19:55:00.000Z', exact: false, text: words('Try again at Dec 2nd, 2026') } }, FAILED],
  ],
  ['codex-no-connection', { code: null, signal: 'SIGTERM' }, []],
  ['codex-no-connection', EXIT_1, [{ kind: 'error', fault: 'server', message: words('waiting for network') }]],
];

describe('recorded streams of codex', () => {
  it.each(recorded)('%s is told as it was', (file, exit, events) => {
    expect(telling(read(fixture(`${file}.jsonl`), exit))).toEqual(events);
  });

  it('the first event is the session', () => {
    expect(read(fixture('codex-ok.jsonl'), EXIT_0)[0]).toEqual({ kind: 'session', id: '01a22d7e-5904-7690-8ece-38a64b64b797' });
  });

  it('a thread that does not exist is an error, not silence', () => {
    const events = read([], EXIT_1, fixture('codex-unknown-session.err'));
    expect(events).toEqual([{ kind: 'error', fault: 'task', message: words('no rollout found for thread id') }]);
  });
});

describe('traps in the stream of codex', () => {
  const item = (type: string, more: object = {}) => ({ type: 'item.completed', item: { id: 'item_0', type, ...more } });

  it('an item of type error is a warning in a turn that succeeds', () => {
    const events = read([item('error', { message: 'Model metadata not found' }), { type: 'turn.completed' }], EXIT_0);
    expect(events).toEqual([
      { kind: 'progress', text: 'Model metadata not found' },
      { kind: 'result', ok: true },
    ]);
  });

  it('an error line is no failure while the turn goes on', () => {
    const events = read(
      [{ type: 'error', message: 'Reconnecting... 1/5 (unexpected status 401 Unauthorized)' }, item('agent_message', { text: 'hi' })],
      EXIT_0,
    );
    expect(telling(events)).toEqual([{ kind: 'message', text: 'hi' }]);
  });

  it('the same notice again is no sign of life', () => {
    const notices = read(fixture('codex-no-connection.jsonl'), { code: null, signal: 'SIGTERM' }).filter(
      (event) => event.kind === 'progress',
    );
    expect(notices.map((event) => event.text)).toEqual([words('Model metadata'), 'turn started', words('waiting for network')]);
  });

  it('a turn that a signal ends has no result', () => {
    expect(telling(read(fixture('codex-tool.jsonl').slice(0, 4), EXIT_1))).toEqual([shell]);
  });

  it('a tool is told once, however often its item comes', () => {
    const started = { type: 'item.started', item: { id: 'item_9', type: 'mcp_tool_call', server: 'files', tool: 'read' } };
    const events = read([started, { ...started, type: 'item.updated' }, { ...started, type: 'item.completed' }], EXIT_0);
    expect(telling(events)).toEqual([{ kind: 'tool', name: 'files.read', text: '' }]);
  });

  it('an agent that talks about limits is not limited (O-12)', () => {
    const lines = [
      item('agent_message', { text: 'You’ve hit your usage limit' }),
      item('command_execution', { command: 'x', aggregated_output: '429' }),
    ];
    expect(read([...lines, { type: 'turn.completed' }], EXIT_0).some((event) => event.kind === 'quota')).toBe(false);
  });

  it('noise between the lines is passed over (O-10)', () => {
    const noise = ['Reading additional input from stdin...', '{"type":"item', '[1,2]', 'null', '"text"', '{}', '{"type":"turn.failed"}'];
    expect(read([...noise, { type: 'turn.completed' }], EXIT_0)).toEqual([{ kind: 'result', ok: true }]);
  });
});

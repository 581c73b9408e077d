// What is read out of recorded streams of claude, and the traps in them.

import { describe, expect, it } from '@jest/globals';
import { claudeAdapter } from '../../../activities/agents/claude.js';
import type { AgentEvent, Usage } from '../../../model/agent/events.js';
import { EXIT_0, EXIT_1, clockAt, fixture, play, telling } from './streams.js';
import type { Exit } from './streams.js';

const NOW = '2026-11-30T17:00:00.000Z';

function read(out: readonly (string | object)[], exit: Exit = EXIT_0, now = NOW, err: readonly string[] = []): AgentEvent[] {
  const lines = out.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return play(claudeAdapter(clockAt(now)).reader(), { out: lines, err, exit });
}

function usage(inputTokens: number, cachedInputTokens: number, outputTokens: number, turns: number, costUsd: number): AgentEvent {
  const counted: Usage = { inputTokens, cachedInputTokens, outputTokens, reasoningTokens: 0, turns, costUsd };
  return { kind: 'usage', usage: counted, cumulative: 'process' };
}

/** Versions that tell what a result adds. */
function added(inputTokens: number, cachedInputTokens: number, outputTokens: number, turns: number, costUsd: number): AgentEvent {
  return {
    ...(usage(inputTokens, cachedInputTokens, outputTokens, turns, costUsd) as Extract<AgentEvent, { kind: 'usage' }>),
    cumulative: 'turn',
  };
}

const words = (text: string) => expect.stringContaining(text) as unknown as string;
const NONE_USED = usage(0, 0, 0, 1, 0);
const FAILED: AgentEvent = { kind: 'result', ok: false };
const HELLO: AgentEvent = { kind: 'tool', name: 'Bash', text: '{"command":"echo hello > out.txt","description":"write"}' };
const SAID: AgentEvent = { kind: 'message', text: 'All done: wrote out.txt.' };
const OK: AgentEvent = { kind: 'result', ok: true, text: 'All done: wrote out.txt.' };

const recorded: [file: string, exit: Exit, events: AgentEvent[]][] = [
  ['claude-ok', EXIT_0, [SAID, usage(170, 1000, 12, 1, 0.0010275), OK]],
  ['claude-tool', EXIT_0, [HELLO, SAID, usage(340, 2000, 42, 2, 0.002325), OK]],
  [
    'claude-resumed',
    EXIT_0,
    [{ kind: 'message', text: 'done' }, usage(16, 7, 9, 1, 0.0003147499999999999), { kind: 'result', ok: true, text: 'done' }],
  ],
  [
    'claude-structured',
    EXIT_0,
    [
      { kind: 'tool', name: 'StructuredOutput', text: '{"answer":"done"}' },
      usage(16, 7, 9, 2, 0.0003147499999999999),
      { kind: 'result', ok: true, text: '{"answer":"done"}', structured: { answer: 'done' } },
    ],
  ],
  [
    'claude-tool-failure',
    EXIT_0,
    [
      { kind: 'tool', name: 'Bash', text: words('exit 3') },
      { kind: 'message', text: 'All done.' },
      usage(32, 14, 18, 2, 0.0006294999999999999),
      { kind: 'result', ok: true, text: 'All done.' },
    ],
  ],
  [
    'claude-denied',
    EXIT_0,
    [
      { kind: 'tool', name: 'Bash', text: words('out.txt') },
      { kind: 'message', text: 'All done.' },
      usage(32, 14, 18, 2, 0.0006294999999999999),
      { kind: 'result', ok: true, text: 'All done.' },
    ],
  ],
  [
    'claude-401',
    EXIT_1,
    [NONE_USED, { kind: 'error', fault: 'login', message: 'Invalid API key · Fix external API key', http: 401 }, FAILED],
  ],
  ['claude-not-logged-in', EXIT_1, [NONE_USED, { kind: 'error', fault: 'login', message: 'Not logged in · Please run /login' }, FAILED]],
  ['claude-credit', EXIT_1, [NONE_USED, { kind: 'error', fault: 'billing', message: 'Credit balance is too low', http: 400 }, FAILED]],
  ['claude-529', EXIT_1, [NONE_USED, { kind: 'error', fault: 'server', message: words('529 Overloaded'), http: 529 }, FAILED]],
  [
    'claude-no-connection',
    EXIT_1,
    [NONE_USED, { kind: 'error', fault: 'server', message: 'API Error: Unable to connect to API (ConnectionRefused)' }, FAILED],
  ],
  ['claude-429', EXIT_1, [NONE_USED, { kind: 'quota', quota: { exact: false, text: words('rejected (429)') } }, FAILED]],
  ['claude-interrupted', EXIT_0, []],
  [
    'claude-332-interrupted',
    EXIT_0,
    [added(0, 0, 0, 2, 0), { kind: 'error', fault: 'task', message: words('error_during_execution') }, FAILED],
  ],
  [
    'claude-332-resumed',
    EXIT_0,
    [{ kind: 'message', text: 'done' }, added(16, 7, 9, 1, 0.0002504), { kind: 'result', ok: true, text: 'done' }],
  ],
  [
    'claude-budget',
    EXIT_1,
    [
      { kind: 'tool', name: 'Bash', text: '{"command":"echo hi","description":"say hi"}' },
      { kind: 'tool', name: 'Bash', text: '{"command":"echo hi","description":"say hi"}' },
      usage(32, 14, 18, 2, 0.0006294999999999999),
      { kind: 'error', fault: 'budget', message: 'Reached maximum budget ($0.0004)' },
      FAILED,
    ],
  ],
  [
    'claude-unknown-session',
    EXIT_1,
    [
      usage(0, 0, 0, 0, 0),
      {
        kind: 'error',
        fault: 'task',
        message: 'error_during_execution: No conversation found with session ID: 11111111-1111-1111-1111-111111111111',
      },
      FAILED,
    ],
  ],
];

describe('recorded streams of claude', () => {
  it.each(recorded)('%s is told as it was', (file, exit, events) => {
    expect(telling(read(fixture(`${file}.jsonl`), exit))).toEqual(events);
  });

  it('a turn limit of 2 is told with its 3 turns', () => {
    const events = telling(read(fixture('claude-max-turns.jsonl'), EXIT_1));
    expect(events.filter((event) => event.kind === 'tool')).toHaveLength(2);
    expect(events.slice(-3)).toEqual([
      usage(32, 14, 18, 3, 0.0006294999999999999),
      { kind: 'error', fault: 'task', message: 'error_max_turns: Reached maximum number of turns (2)' },
      FAILED,
    ]);
  });

  it('a budget ends the turn with its last request counted, which `usage` leaves out', () => {
    expect(telling(read(fixture('claude-332-budget.jsonl'), EXIT_1)).slice(-3)).toEqual([
      added(32, 14, 18, 2, 0.0005008),
      { kind: 'error', fault: 'budget', message: 'Reached maximum budget ($0.0004)' },
      FAILED,
    ]);
  });

  it('a session limit is trusted by its epoch, not by the words beside it', () => {
    const lines = fixture('claude-session-limit.jsonl');
    const epoch = Number(/"resetsAt":(\d+)/.exec(lines.join('\n'))![1]);
    const events = read(lines, EXIT_1, new Date((epoch - 7_000) * 1000).toISOString());
    const quota = { resetAt: new Date(epoch * 1000).toISOString(), exact: true, text: expect.stringContaining('hit your session limit') };
    expect(telling(events).slice(1)).toEqual([{ kind: 'quota', quota }, FAILED]);
  });

  it('the first event is the session, told once', () => {
    const sessions = read(fixture('claude-tool.jsonl')).filter((event) => event.kind === 'session');
    expect(sessions).toEqual([{ kind: 'session', id: 'dab7a62f-f2c5-410b-a93a-22dcc1c146b1' }]);
  });

  it('a refusal to skip permissions as root is an error, not silence', () => {
    const events = read([], EXIT_1, NOW, fixture('claude-root.err'));
    expect(events).toEqual([{ kind: 'error', fault: 'task', message: expect.stringContaining('root/sudo') }]);
  });
});

const success = { type: 'result', subtype: 'success', is_error: false, result: 'ok' };

describe('traps in the stream of claude', () => {
  it('an API failure says subtype success, with is_error and a status (O-07)', () => {
    const events = read([{ ...success, is_error: true, api_error_status: 403, result: 'Forbidden' }], EXIT_0);
    expect(events).toEqual([{ kind: 'error', fault: 'login', message: 'Forbidden', http: 403 }, FAILED]);
  });

  it('a good result stands, whatever the exit code (O-07)', () => {
    expect(read([success], EXIT_1)).toEqual([{ kind: 'result', ok: true, text: 'ok' }]);
  });

  it('exit 0 with an API error on stderr and no result tells nothing (O-07)', () => {
    expect(read([], EXIT_0, NOW, ['API Error: 500'])).toEqual([]);
  });

  it('a message that claude made up for an API error is no speech', () => {
    const events = read(fixture('claude-429.jsonl'), EXIT_1);
    expect(events.some((event) => event.kind === 'message' || event.kind === 'tool')).toBe(false);
    expect(events.some((event) => event.kind === 'progress')).toBe(true);
  });

  it('an announced API error is told when the turn breaks off before its result', () => {
    const lines = fixture('claude-401.jsonl').slice(0, -1);
    expect(telling(read(lines, EXIT_1))).toEqual([{ kind: 'error', fault: 'login', message: 'Invalid API key · Fix external API key' }]);
    expect(telling(read(lines, { code: null, signal: 'SIGKILL' }))).toEqual([]);
  });

  it('a rejected limit with extra usage lets the turn go on', () => {
    const info = { status: 'rejected', resetsAt: 1_796_073_865, rateLimitType: 'five_hour', isUsingOverage: true };
    expect(telling(read([{ type: 'rate_limit_event', rate_limit_info: info }, success]))).toEqual([
      { kind: 'result', ok: true, text: 'ok' },
    ]);
  });

  it('a rejected limit that nothing follows is a refusal by quota', () => {
    const info = { status: 'rejected', resetsAt: Date.parse(NOW) / 1000 + 60, rateLimitType: 'seven_day' };
    const quota = { resetAt: '2026-11-30T17:01:00.000Z', exact: true, text: 'seven_day limit: rejected' };
    expect(telling(read([{ type: 'rate_limit_event', rate_limit_info: info }], EXIT_1))).toEqual([{ kind: 'quota', quota }]);
  });

  it('an agent that talks about limits is not limited (O-12)', () => {
    const talk = 'Added a 429 handler: "You\'ve hit your limit · resets 4:50am (UTC)"';
    const events = read([
      { type: 'assistant', message: { model: 'm', content: [{ type: 'text', text: talk }] } },
      { type: 'user', message: { content: [{ type: 'tool_result', content: '{"type":"rate_limit_error"}' }] } },
      success,
    ]);
    expect(events.map((event) => event.kind)).toEqual(['message', 'progress', 'result']);
  });

  it('a sub-agent works, but its words are not the answer', () => {
    const line = {
      type: 'assistant',
      parent_tool_use_id: 'toolu_1',
      message: {
        model: 'm',
        content: [
          { type: 'text', text: 'mine' },
          { type: 'tool_use', name: 'Read' },
        ],
      },
    };
    expect(read([line]).map((event) => event.kind)).toEqual(['progress', 'tool']);
  });

  it('a tool result of 12 MB is relayed cut, with its size (O-09)', () => {
    const [event] = read([{ type: 'user', message: { content: [{ type: 'tool_result', content: 'x'.repeat(12_000_000) }] } }]);
    expect(event).toMatchObject({ kind: 'progress', text: expect.stringMatching(/x… \[cut: 12000000 bytes in all\]$/) });
    expect(JSON.stringify(event).length).toBeLessThan(4_300);
  });

  it('noise between the lines is passed over (O-10)', () => {
    const noise = [
      'A new version is available!',
      'warning: deprecated',
      '',
      '{"type":"assi',
      '[1,2]',
      'null',
      '"text"',
      '{}',
      '{"type":"result","is_error":"odd"}',
    ];
    expect(read([...noise, success])).toEqual([{ kind: 'result', ok: true, text: 'ok' }]);
  });

  it('each wording of a limit is quota, with its time (O-11)', () => {
    const now = '2026-04-24T15:10:00.000Z';
    const quotaOf = (result: string) =>
      read([{ ...success, is_error: true, result }], EXIT_1, now).find((event) => event.kind === 'quota')?.quota.resetAt;
    expect(quotaOf("You've hit your limit · resets 6:30pm (Asia/Jerusalem)")).toBe('2026-04-24T15:30:00.000Z');
    expect(quotaOf('You’ve hit your session limit · resets 3:25pm (UTC)')).toBe('2026-04-24T15:25:00.000Z');
  });
});

// The table of endings: what a turn or a program that ended so is taken for.

import { describe, expect, it } from '@jest/globals';
import { judgeProgram, judgeTurn, judgeWork, structuredAnswer, type Exit, type TurnFacts } from '../../../model/agent/endings.js';

const exit = (code: number | null, signal: string | null = null): Exit => ({ code, signal, leftovers: 0 });
const turn = (more: Partial<TurnFacts> = {}): TurnFacts => ({ mode: 'stream', spoke: false, usedTool: false, exit: exit(0), ...more });
const error = (fault: 'login' | 'billing' | 'server' | 'task' | 'budget', http?: number) => ({
  kind: 'error' as const,
  fault,
  message: 'm',
  ...(http !== undefined && { http }),
});
const good = { kind: 'result' as const, ok: true };
const bad = { kind: 'result' as const, ok: false };
const quota = { exact: false, text: 'limit reached' };

describe('judgeTurn', () => {
  it.each<[string, Partial<TurnFacts>, unknown]>([
    ['a good result, exit 0', { result: good }, { kind: 'done', notes: [] }],
    ['a good result, exit 1', { result: good, exit: exit(1) }, { kind: 'done', notes: ['exit 1 after its result'] }],
    [
      'a good result, then a signal',
      { result: good, exit: exit(null, 'SIGTERM') },
      { kind: 'done', notes: ['ended by SIGTERM after its result'] },
    ],
    ['a good result after an error that passed', { result: good, error: error('server', 500) }, { kind: 'done' }],
    ['a good result after a quota that passed', { result: good, quota }, { kind: 'done' }],
    [
      'a refusal by quota',
      { quota, result: bad, error: error('task') },
      { kind: 'failed', outcome: 'quota', detail: 'refused by quota: limit reached' },
    ],
    [
      'a quota with a time',
      { quota: { ...quota, resetAt: '2026-01-01T00:00:00Z' } },
      { outcome: 'quota', detail: 'refused by quota: limit reached (resets 2026-01-01T00:00:00Z)' },
    ],
    ['a refused login', { error: error('login', 401), result: bad }, { outcome: 'refused-login', detail: 'HTTP 401: m' }],
    ['a refused login after speech', { error: error('login', 403), spoke: true }, { outcome: 'refused-login' }],
    ['a bill not paid', { error: error('billing') }, { outcome: 'refused-login', detail: 'm' }],
    ['a spent budget', { error: error('budget'), spoke: true }, { outcome: 'budget-spent' }],
    ['a lost server before speech', { error: error('server', 529), result: bad }, { kind: 'silence', reason: 'HTTP 529: m' }],
    ['a lost server after speech', { error: error('server', 529), spoke: true }, { outcome: 'task-failed' }],
    ['an error of the task before speech', { error: error('task'), exit: exit(1) }, { outcome: 'task-failed' }],
    ['a bad result with words', { result: { ...bad, text: 'could not' } }, { outcome: 'task-failed', detail: 'could not' }],
    ['a bad result without words', { result: bad }, { outcome: 'task-failed', detail: 'its result says that it failed' }],
    ['exit 0 without a word', {}, { kind: 'silence', reason: 'exit 0 without a word' }],
    ['exit 0 without a result', { spoke: true }, { outcome: 'task-failed', detail: 'ended without a result' }],
    ['exit 1 without a word', { exit: exit(1), lastStderr: 'why' }, { kind: 'silence', reason: 'exit 1: why' }],
    ['exit 1 after speech', { exit: exit(1), spoke: true }, { outcome: 'task-failed', detail: 'exit 1' }],
    ['a signal before speech', { exit: exit(null, 'SIGKILL') }, { kind: 'silence', reason: 'ended by SIGKILL' }],
    ['a signal after speech', { exit: exit(null, 'SIGKILL'), spoke: true }, { outcome: 'task-failed', detail: 'ended by SIGKILL' }],
    ['text, exit 0', { mode: 'text', spoke: true }, { kind: 'done', notes: [] }],
    ['no text, exit 0', { mode: 'text' }, { kind: 'silence' }],
    ['text, exit 2', { mode: 'text', spoke: true, exit: exit(2) }, { outcome: 'task-failed' }],
    ['text, a signal', { mode: 'text', spoke: true, exit: exit(null, 'SIGTERM') }, { outcome: 'task-failed' }],
  ])('%s', (_name, facts, ending) => {
    expect(judgeTurn(turn(facts))).toMatchObject(ending as object);
  });
});

describe('judgeProgram', () => {
  it.each<[string, Exit, number[], string | undefined, unknown]>([
    ['an ok code', exit(0), [0], 'noise', { kind: 'done' }],
    ['another ok code', exit(7), [0, 7], undefined, { kind: 'done' }],
    ['0 that is not ok', exit(0), [7], undefined, { outcome: 'task-failed', detail: 'exit 0' }],
    ['a failure', exit(2), [0], 'why', { outcome: 'task-failed', detail: 'exit 2: why' }],
    ['a signal, never read as 0', exit(null, 'SIGSEGV'), [0], undefined, { outcome: 'task-failed', detail: 'ended by SIGSEGV' }],
  ])('%s', (_name, ended, okCodes, stderr, ending) => {
    expect(judgeProgram(ended, okCodes, stderr)).toMatchObject(ending as object);
  });
});

describe('what is asked of a good turn', () => {
  it('mustWork wants a tool, where tools can be seen', () => {
    expect(judgeWork(turn())).toMatchObject({ outcome: 'no-work' });
    expect(judgeWork(turn({ usedTool: true }))).toEqual({ kind: 'done', notes: [] });
    expect(judgeWork(turn({ mode: 'text' }))).toMatchObject({ kind: 'done', notes: [expect.stringContaining('not checked')] });
  });

  it.each<[string, Partial<TurnFacts>, boolean]>([
    ['the structured answer of the CLI', { result: { ...good, structured: { a: 1 } } }, true],
    ['a last message that is an object', { result: { ...good, text: ' {"a":1}\n' } }, true],
    ['a last message that is a list', { lastMessage: '[1]' }, true],
    ['the message when the result has no text', { result: good, lastMessage: '{}' }, true],
    ['words', { result: { ...good, text: 'here it is: {}' } }, false],
    ['null', { result: { ...good, text: 'null' } }, false],
    ['a number', { result: { ...good, structured: 1 } }, false],
    ['nothing', { result: good }, false],
  ])('output: %s', (_name, facts, ok) => {
    expect(structuredAnswer(turn(facts)).ok).toBe(ok);
  });
});

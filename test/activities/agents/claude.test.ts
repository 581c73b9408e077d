// How a turn of claude is started.

import { describe, expect, it } from '@jest/globals';
import type { TurnRequest } from '../../../activities/agents/adapter.js';
import { claudeAdapter } from '../../../activities/agents/claude.js';
import { clockAt } from './streams.js';

const adapter = claudeAdapter(clockAt('2026-11-30T17:00:00Z'));
const turn: TurnRequest = { prompt: 'Do it.', permissions: 'edit', args: [], promptFile: '/scratch/prompt', root: false };

function argvOf(more: Partial<TurnRequest>): string[] {
  return adapter.command(['claude'], { ...turn, ...more }).argv;
}

describe('the command of claude', () => {
  it('streams JSON, verbosely, without which it refuses', () => {
    expect(argvOf({})).toEqual(['claude', '-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits']);
  });

  it.each([
    ['read', ['--permission-mode', 'plan']],
    ['edit', ['--permission-mode', 'acceptEdits']],
    ['full', ['--dangerously-skip-permissions']],
  ] as const)('gives the permission %s its flags', (permissions, flags) => {
    expect(argvOf({ permissions }).slice(5)).toEqual(flags);
  });

  it('says that it is sandboxed as root with full permissions, and never else', () => {
    const env = (root: boolean, permissions: TurnRequest['permissions']) => adapter.command(['claude'], { ...turn, root, permissions }).env;
    expect(env(true, 'full')).toEqual({ IS_SANDBOX: '1' });
    expect(env(true, 'edit')).toEqual({});
    expect(env(false, 'full')).toEqual({});
  });

  it('passes model, limits, schema, session and the node own arguments, in this order', () => {
    const argv = argvOf({ model: 'opus', maxTurns: 7, maxCost: 0.5, output: { type: 'object' }, session: 's-1', args: ['--add-dir', 'x'] });
    expect(argv.slice(7)).toEqual([
      ...['--model', 'opus', '--max-turns', '7', '--max-budget-usd', '0.5'],
      ...['--json-schema', '{"type":"object"}', '--resume', 's-1', '--add-dir', 'x'],
    ]);
  });

  it('takes no turn limit of 0, which claude would read as no limit', () => {
    expect(() => argvOf({ maxTurns: 0 })).toThrow('at least 1');
  });

  it.each([
    ['begins with a dash', '--help'],
    ['is empty', ''],
    ['holds a NUL and astral letters', 'a\0b𝄞'],
    ['is over the limit of an argument', 'ä'.repeat(200_000)],
  ])('gives a prompt that %s by stdin as it is', (_how, prompt) => {
    const command = adapter.command(['claude'], { ...turn, prompt });
    expect(command.stdin).toEqual({ text: prompt });
    expect(command.argv).toEqual(argvOf({}));
  });

  it('starts whatever executable it is given', () => {
    expect(adapter.command(['/opt/claude', '--debug'], turn).argv.slice(0, 3)).toEqual(['/opt/claude', '--debug', '-p']);
  });
});

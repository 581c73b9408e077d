// From a name of a plan to its adapter.

import { describe, expect, it } from '@jest/globals';
import { findAdapter } from '../../../activities/agents/index.js';
import { BUILT_IN_AGENTS, RUNNABLE_AGENTS } from '../../../model/agent/resolve.js';
import type { Config } from '../../../model/config.js';

const config: Config = {
  agents: {
    claude: { bin: '/opt/claude', model: 'sonnet', env: ['MY_KEY'], args: ['--debug'] },
    quick: { adapter: 'codex' },
    mine: { adapter: 'command', argv: ['./agent.sh', '--quiet', '{prompt}'] },
    broken: { adapter: 'command', argv: ['./agent.sh'], prompt: 'arg' },
    early: { adapter: 'gemini' },
  },
};

describe('findAdapter', () => {
  it('finds built-ins without a config', () => {
    expect(findAdapter('claude', undefined)).toMatchObject({
      ok: true,
      bin: ['claude'],
      args: [],
      adapter: { name: 'claude', stopSignal: 'SIGINT' },
    });
    expect(findAdapter('codex', undefined)).toMatchObject({ ok: true, bin: ['codex'], adapter: { name: 'codex', stopSignal: 'SIGINT' } });
  });

  it('adjusts a built-in by its entry', () => {
    const found = findAdapter('claude', config);
    expect(found).toMatchObject({ ok: true, bin: ['/opt/claude'], model: 'sonnet', args: ['--debug'] });
    expect(found.ok && found.env).toEqual(expect.arrayContaining(['ANTHROPIC_*', 'MY_KEY']));
  });

  it('finds an entry under its own name', () => {
    expect(findAdapter('quick', config)).toMatchObject({ ok: true, bin: ['codex'], adapter: { name: 'codex' } });
  });

  it('gives a command agent its template as bin', () => {
    const found = findAdapter('mine', config);
    expect(found).toMatchObject({
      ok: true,
      bin: ['./agent.sh', '--quiet', '{prompt}'],
      adapter: { name: 'command', stopSignal: 'SIGTERM' },
    });
  });

  it.each([
    ['cluade', /did you mean "claude"/],
    ['early', /not yet: adapter gemini/],
    ['broken', /agents\.broken: prompt is arg/],
    ['command', /agents\.command\.argv/],
  ])('refuses %s with its reason', (name, reason) => {
    const found = findAdapter(name, config);
    expect(found.ok ? 'found' : found.reason).toMatch(reason);
  });

  it('runs what is said to be runnable, and refuses the rest as not yet', () => {
    const entry = { agents: { command: { argv: ['a'] } } };
    for (const name of BUILT_IN_AGENTS) {
      const runnable = (RUNNABLE_AGENTS as readonly string[]).includes(name);
      expect([name, findAdapter(name, entry)]).toEqual([
        name,
        expect.objectContaining(runnable ? { ok: true } : { ok: false, reason: expect.stringContaining('not yet') }),
      ]);
    }
  });
});

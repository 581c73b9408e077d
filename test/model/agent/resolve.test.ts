// Which agent and model a node gets, and every refusal.

import { describe, expect, it } from '@jest/globals';
import { BUILT_IN_AGENTS, resolveAgent, type AgentQuestion } from '../../../model/agent/resolve.js';
import type { Config } from '../../../model/config.js';

const config: Config = {
  agents: {
    mine: { adapter: 'command', argv: ['./agent.sh'] },
    quick: { adapter: 'claude', model: 'haiku' },
    odd: { argv: ['x'] },
    wrong: { adapter: 'cladue' },
  },
  models: { opus: { agent: 'claude', name: 'claude-opus-4' }, plain: { agent: 'codex' }, lost: { agent: 'cluade' } },
  defaults: { agent: 'codex' },
};

const chosen: [name: string, question: AgentQuestion, use: string, model: string | undefined][] = [
  ['the flag before everything', { flag: 'codex', use: 'claude', config }, 'codex', undefined],
  ["the node's use before its model's agent", { use: 'claude', model: 'opus', config }, 'claude', 'claude-opus-4'],
  ["the model's agent before the defaults", { model: 'opus', defaultsAgent: 'codex', config }, 'claude', 'claude-opus-4'],
  ["the plan's default before the config's", { defaultsAgent: 'claude', config }, 'claude', undefined],
  ["the config's default last", { config }, 'codex', undefined],
  ['a mapped model without a name keeps its own', { model: 'plain', config }, 'codex', 'plain'],
  ['a model the config does not know is passed on as it is', { use: 'claude', model: 'sonnet', config }, 'claude', 'sonnet'],
  ["the plan's default model finds its agent", { defaultsModel: 'opus', config }, 'claude', 'claude-opus-4'],
  ["the config's default model finds its agent", { config: { ...config, defaults: { model: 'opus' } } }, 'claude', 'claude-opus-4'],
  ['an entry of the config by its name', { use: 'mine', config }, 'mine', undefined],
  ['a model of the same adapter under another name', { use: 'quick', model: 'opus', config }, 'quick', 'claude-opus-4'],
];

describe('resolveAgent', () => {
  it.each(chosen)('takes %s', (_name, question, use, model) => {
    expect(resolveAgent(question)).toEqual({ ok: true, use, model });
  });

  it('refuses when no slot is filled, naming every slot and every built-in', () => {
    const answer = resolveAgent({});
    if (answer.ok) throw new Error('expected a refusal');
    for (const slot of ['--agent', '`use`', 'models.<model>.agent', "plan's defaults.agent", "config's defaults.agent"])
      expect(answer.reason).toContain(slot);
    for (const name of BUILT_IN_AGENTS) expect(answer.reason).toContain(name);
  });

  const refused: [name: string, question: AgentQuestion, reason: RegExp][] = [
    ['a mistyped name, with the close one', { use: 'cluade' }, /`use`: unknown agent "cluade": did you mean "claude"\?/],
    ['a mistyped name of the config', { use: 'mien', config }, /did you mean "mine"\?.*in the config: mine/],
    ['a name like nothing known, without a guess', { use: 'zzzzzz' }, /^(?!.*did you mean).*unknown agent "zzzzzz" \(built in: claude/],
    ['a built-in that this release cannot run', { flag: 'gemini' }, /--agent: not yet: adapter gemini/],
    ['a mistyped agent of a model, naming the model', { model: 'lost', config }, /models\.lost\.agent.*did you mean "claude"/],
    ['an entry without adapter', { use: 'odd', config }, /agents\.odd names no adapter/],
    [
      'an entry with an unknown adapter',
      { use: 'wrong', config },
      /agents\.wrong\.adapter: unknown adapter "cladue": did you mean "claude"/,
    ],
    ['command without a template', { use: 'command' }, /agents\.command\.argv/],
    ['an object key that every object has', { use: 'constructor', model: 'toString', config }, /unknown agent "constructor"/],
    [
      'a node whose use and model contradict each other',
      { use: 'codex', model: 'opus', config },
      /model "opus" belongs to agent claude, but the node's `use` is codex/,
    ],
  ];
  it.each(refused)('refuses %s', (_name, question, reason) => {
    const answer = resolveAgent(question);
    expect(answer.ok ? 'accepted' : answer.reason).toMatch(reason);
  });

  it('leaves out and names a default model of another agent', () => {
    expect(resolveAgent({ use: 'codex', defaultsModel: 'opus', config })).toEqual({
      ok: true,
      use: 'codex',
      note: expect.stringContaining('left out'),
    });
    expect(resolveAgent({ flag: 'codex', use: 'claude', model: 'opus', config })).toEqual({
      ok: true,
      use: 'codex',
      note: expect.stringContaining('--agent is codex'),
    });
  });
});

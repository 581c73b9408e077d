// Refusals of form and of names, one row each: what is wrong and what is said (plan.md, Refusals).

import { describe, expect, it } from '@jest/globals';
import { plan, problemsOf } from './plans.js';

const run = { run: 'true' };
const withChange = (change: unknown) => plan({ a: run, b: { change, needs: ['a'] } });
const withSteps = (steps: unknown) => withChange({ steps });

type Row = [what: string, raw: unknown, problem: string];

const form: Row[] = [
  ['a version of another build', { ...plan({ a: run }), version: 2 }, 'version: the plan says version 2, this build reads version 1'],
  ['no version', { nodes: { a: run } }, 'version: is required: write `version: 1`'],
  ['no nodes at all', { version: 1 }, 'nodes: is required'],
  ['empty nodes', plan({}), 'nodes: a plan needs at least one node'],
  ['a list for a plan', [], ': expected a map, found a list'],
  ['an unknown field at the top', plan({ a: run }, { node: {} }), 'node: unknown field (did you mean `nodes`?)'],
  ['an unknown field of a node', plan({ a: { ...run, depends_on: ['b'] } }), 'nodes.a.depends_on: unknown field (did you mean `needs`?)'],
  [
    'an unknown field of an agent',
    plan({ a: { agent: { prompt: 'x', max_turns: 1 } } }),
    'nodes.a.agent.max_turns: unknown field (did you mean `maxTurns`?)',
  ],
  [
    'a name that is no id',
    plan({ a: run }, { name: 'a b' }),
    'name: a name is letters, digits, dots, dashes and underscores, at most 64, beginning with a letter or digit',
  ],
  ['a concurrency of 0', plan({ a: run }, { concurrency: 0 }), 'concurrency: must be at least 1'],
  ['a concurrency over 1,000', plan({ a: run }, { concurrency: 1001 }), 'concurrency: must be at most 1000'],
  [
    'maxTurns 0',
    plan({ a: { agent: { prompt: 'x', maxTurns: 0 } } }),
    'nodes.a.agent.maxTurns: must be at least 1: 0 would mean no turn at all',
  ],
  [
    'a broken number',
    plan({ a: { run: { argv: ['x'], attempts: 1.5 } } }),
    'nodes.a.run.attempts: expected a whole number, found the number 1.5',
  ],
  [
    'permissions that there are not',
    plan({ a: { agent: { prompt: 'x', permissions: 'write' } } }),
    'nodes.a.agent.permissions: expected `read`, `edit` or `full`, found `write`',
  ],
  [
    'a misspelt word',
    plan({ a: { ...run, if: 'need-done' } }),
    'nodes.a.if: expected `needs-done`, `needs-settled` or `any-failed`, found `need-done` (did you mean `needs-done`?)',
  ],
  [
    'a number where a need was meant',
    plan({ a: { ...run, needs: [12] } }),
    'nodes.a.needs[0]: expected text or a map, found the number 12',
  ],
  ['a need that is no list', plan({ a: { ...run, needs: 'b' } }), 'nodes.a.needs: expected a list, found `b`'],
  ['an argv without a program', plan({ a: { run: [] } }), 'nodes.a.run: a command needs at least its program'],
  [
    'a variable that is no name',
    plan({ a: { run: { script: 'x', env: ['1A=b'] } } }),
    'nodes.a.run.env[0]: a variable is letters, digits and underscores, not beginning with a digit',
  ],
  ['a timeout of 0', plan({ a: { ...run, timeout: '0s' } }), 'nodes.a.timeout: `0s` is zero; a duration is above zero'],
  [
    'a negative timeout',
    plan({ a: run }, { defaults: { timeout: '-5m' } }),
    'defaults.timeout: `-5m` is negative; a duration is above zero',
  ],
  [
    'an unreadable timeout',
    plan({ a: { ...run, timeout: 'soon' } }),
    'nodes.a.timeout: `soon` is not a duration such as 45m, 2h, 1h30m, 90s, 500ms or 7d',
  ],
  [
    'a timeout without a unit',
    plan({ a: { ...run, timeout: 45 } }),
    'nodes.a.timeout: expected a duration such as 45m, 2h, 1h30m, 90s, 500ms or 7d, found the number 45',
  ],
  ['a timeout that would overflow a timer', plan({ a: { ...run, timeout: '30d' } }), 'nodes.a.timeout: `30d` is too long; at most 24d'],
];

const ids: Row[] = [
  [
    'a space in an id',
    plan({ 'a b': run }),
    'nodes["a b"]: `a b` is no id: letters, digits, dots, dashes and underscores, beginning with a letter or digit',
  ],
  [
    'a colon in an id',
    plan({ 'a:b': run }),
    'nodes["a:b"]: `a:b` is no id: letters, digits, dots, dashes and underscores, beginning with a letter or digit',
  ],
  ['two dots in an id', plan({ 'a..b': run }), 'nodes["a..b"]: `a..b` is no id: `..` is not allowed in one'],
  ['an id that ends in a dot', plan({ 'a.': run }), 'nodes["a."]: `a.` is no id: it must not end in a dot or in .lock'],
  ['an id that ends in .lock', plan({ 'a.lock': run }), 'nodes["a.lock"]: `a.lock` is no id: it must not end in a dot or in .lock'],
  [
    'an id of 65 letters',
    plan({ ['x'.repeat(65)]: run }),
    `nodes.${'x'.repeat(65)}: \`${'x'.repeat(65)}\` is no id: 65 characters, at most 64 are allowed`,
  ],
  ['a reserved word as an id', plan({ constructor: run }), 'nodes.constructor: `constructor` is a reserved word and no id'],
  ['ids that differ in case', plan({ build: run, Build: run }), 'nodes.Build: `build` and `Build` differ only in case'],
  [
    'a step that is no id',
    withSteps({ 'a/b': run }),
    'nodes.b.change.steps["a/b"]: `a/b` is no id: letters, digits, dots, dashes and underscores, beginning with a letter or digit',
  ],
  [
    'two human references that read the same',
    plan({ b: { change: { steps: { ok: { human: 'x' } } } }, 'b@ok': { human: 'y' } }),
    'nodes["b@ok"].human: `b@ok` is what a person would attest here and also at nodes.b.change.steps.ok.human: rename one',
  ],
];

describe('a plan is refused for', () => {
  it.each([...form, ...ids])('%s', (_, raw, problem) => {
    expect(problemsOf(raw)).toContainEqual(problem);
  });
});

describe('one fault never hides another', () => {
  it('a fault of form in a node and one of the graph are both told', () => {
    const raw = plan({ a: { run: 5, needs: ['b', 7, 'ghost'], tite: 'x' }, b: { ...run, needs: ['a'] } });
    expect(problemsOf(raw)).toEqual(
      expect.arrayContaining([
        'nodes.a.run: expected text or a list or a map, found the number 5',
        'nodes.a.needs[1]: expected text or a map, found the number 7',
        'nodes.a.tite: unknown field (did you mean `title`?)',
        'nodes.a.needs[2]: no node `ghost`',
        'nodes.a.needs[0]: the needs go in a circle: a -> b -> a',
      ]),
    );
  });

  it('a bad id does not keep what is wrong in its node from being told', () => {
    expect(problemsOf(plan({ 'a b': { run: [''] } }))).toHaveLength(2);
  });
});

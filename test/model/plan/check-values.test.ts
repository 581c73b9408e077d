// Refusals of expressions, and of what a plan names outside itself; and plans that look wrong and are right (plan.md).

import { describe, expect, it } from '@jest/globals';
import { plan, problemsOf } from './plans.js';

const run = { run: 'true' };
const withChange = (change: unknown) => plan({ a: run, b: { change, needs: ['a'] } });
const withSteps = (steps: unknown) => withChange({ steps });
const asks = (prompt: string, more: Record<string, unknown> = {}) => plan({ a: run, late: run, b: { agent: prompt, needs: ['a'] } }, more);
const literal = 'write `$${{` for the characters themselves';

type Row = [what: string, raw: unknown, problem: string];

const expressions: Row[] = [
  [
    'an unknown input',
    asks('${{ inputs.tiket }}', { inputs: { ticket: {} } }),
    'nodes.b.agent: `${{ inputs.tiket }}`: the plan declares no input `tiket` (did you mean `ticket`?)',
  ],
  ['an unknown node', asks('${{ needs.c.output }}'), 'nodes.b.agent: `${{ needs.c.output }}`: no node `c`'],
  [
    'a node that may not be over',
    asks('${{ needs.late.output }}'),
    'nodes.b.agent: `${{ needs.late.output }}`: `late` need not be over by then (add it to the needs of `b`)',
  ],
  ['itself', asks('${{ needs.b.output }}'), 'nodes.b.agent: `${{ needs.b.output }}`: a node cannot read what it has not done yet'],
  ['a branch of a program', asks('${{ needs.a.branch }}'), 'nodes.b.agent: `${{ needs.a.branch }}`: `a` is of kind run and has no branch'],
  ['a goal that is not there', asks('${{ run.goal }}'), 'nodes.b.agent: `${{ run.goal }}`: the plan has no `goal`'],
  ['a ticket outside a machine', asks('${{ ticket.id }}'), 'nodes.b.agent: `${{ ticket.id }}`: there is a ticket only inside a machine'],
  [
    'something else',
    asks('${{ env.HOME }}'),
    expect.stringContaining('nodes.b.agent: `${{ env.HOME }}`: no such value') as unknown as string,
  ],
  ['a path that is not closed', asks('${{ run.id'), `nodes.b.agent: \`\${{\` without a closing \`}}\` (${literal})`],
  [
    'a value in argv',
    plan({ a: { run: ['echo', '${{ run.id }}'] } }),
    'nodes.a.run[1]: `${{ }}` is never put into argv or shell text (a program reads the same values from the JSON file named in SLUICE_INPUTS)',
  ],
  [
    'a value in a script',
    plan({ a: { run: 'echo ${{ run.id }}' } }),
    'nodes.a.run: `${{ }}` is never put into argv or shell text (a program reads the same values from the JSON file named in SLUICE_INPUTS)',
  ],
  [
    'a value in extra arguments',
    plan({ a: { agent: { prompt: 'x', args: ['${{ run.id }}'] } } }),
    'nodes.a.agent.args[0]: `${{ }}` is never put into argv or shell text (a program reads the same values from the JSON file named in SLUICE_INPUTS)',
  ],
  [
    'a value in a label',
    plan({ a: { ...run, labels: { x: '${{ run.id }}' } } }),
    'nodes.a.labels.x: `${{ }}` is not read here (only in prompts, outputs, titles, bodies and the words of a human node)',
  ],
];

const outside: Row[] = [
  [
    'an executor that is not configured',
    plan({ a: { ...run, executor: 'gpus' } }),
    'nodes.a.executor: no executor `gpus` (configured: gpu, cloud) (did you mean `gpu`?)',
  ],
  [
    'a default executor that is not configured',
    plan({ a: run }, { defaults: { executor: 'x' } }),
    'defaults.executor: no executor `x` (configured: gpu, cloud)',
  ],
  [
    'a dir that leaves the project',
    plan({ a: { run: { script: 'x', dir: 'a/../../b' } } }),
    'nodes.a.run.dir: `a/../../b` leaves the project',
  ],
  [
    'an absolute dir',
    plan({ a: { agent: { prompt: 'x', dir: '/tmp' } } }),
    'nodes.a.agent.dir: `/tmp` is absolute; it is relative to the project',
  ],
  ['a repo that leaves the project', withChange({ repo: '../other', run: 'x' }), 'nodes.b.change.repo: `../other` leaves the project'],
  ['a required input', plan({ a: run }, { inputs: { t: { required: true } } }), 'inputs.t: this input is required (give --input t=…)'],
];

describe('a plan is refused for', () => {
  it.each([...expressions, ...outside])('%s', (_, raw, problem) => {
    expect(problemsOf(raw)).toContainEqual(problem);
  });

  it('an adapter that is not configured, with what was meant', () => {
    expect(problemsOf(plan({ a: { agent: { prompt: 'x', use: 'claud' } } }))).toEqual([
      expect.stringMatching(/^nodes\.a\.agent\.use: .*claud.*did you mean "claude"/),
    ]);
  });

  it('no agent anywhere, naming every place once', () => {
    const said = problemsOf(plan({ a: { agent: 'x' }, b: { agent: 'y' } }), { config: {} });
    expect(said).toEqual([
      expect.stringMatching(/^nodes\.a\.agent: .*--agent.*`use`.*defaults\.agent.*Built in: claude.*here and in 1 more places/),
    ]);
  });

  it('inputs that are not declared, or of another type', () => {
    const raw = plan({ a: run }, { inputs: { count: { type: 'number' }, sure: { type: 'boolean', default: 'yes' } } });
    expect(problemsOf(raw, { inputs: { cuont: '1' } })).toEqual([
      'inputs: --input cuont: the plan declares no such input (did you mean `count`?)',
      'inputs.sure.default: the default is no boolean',
    ]);
    expect(problemsOf(raw, { inputs: { count: 'x', sure: 'true' } })).toEqual(['inputs.count: --input count: `x` is no number']);
  });
});

describe('a plan is taken with', () => {
  it.each([
    ['every need of a step outside its node', withSteps({ x: { ...run, needs: ['a'] } })],
    [
      'what an ancestor said, not only a need',
      plan({ a: run, b: { ...run, needs: ['a'] }, c: { agent: '${{ needs.a.output }}', needs: ['b'] } }),
    ],
    ['an escaped expression', asks('$${{ github.ref }}')],
    ['a clone URL for a repo', withChange({ repo: 'git@example.org:a/b.git', run: 'x' })],
    ['needs of another run', plan({ a: { ...run, needs: [{ run: 'other', node: 'x', optional: true }] } })],
    ['no name', { version: 1, nodes: { a: run } }],
  ])('%s', (_, raw) => {
    expect(problemsOf(raw)).toEqual([]);
  });
});

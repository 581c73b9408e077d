// Every refusal of plan.md, one row each: what is wrong and what is said.

import { describe, expect, it } from '@jest/globals';
import { plan, problemsOf } from './plans.js';

const run = { run: 'true' };
const withHuman = (human: unknown, needs: string[] = []) => plan({ a: run, gate: { human, needs } });
const withChange = (change: unknown) => plan({ a: run, b: { change, needs: ['a'] } });
const withSteps = (steps: unknown) => withChange({ steps });
const withMachine = (states: unknown, initial = 'one') => plan({ a: run }, { machines: { m: { initial, states } } });
const end = { terminal: true };

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

const graph: Row[] = [
  ['an unknown need', plan({ survey: run, b: { ...run, needs: ['survy'] } }), 'nodes.b.needs[0]: no node `survy` (did you mean `survey`?)'],
  ['a need on itself', plan({ a: { ...run, needs: ['a'] } }), 'nodes.a.needs[0]: a node cannot need itself'],
  [
    'a cycle',
    plan({ a: { ...run, needs: ['b'] }, b: { ...run, needs: ['a'] } }),
    'nodes.a.needs[0]: the needs go in a circle: a -> b -> a',
  ],
  [
    'the shortest of two cycles',
    plan({ a: { ...run, needs: ['b'] }, b: { ...run, needs: ['c', 'a'] }, c: { ...run, needs: ['a'] } }),
    'nodes.a.needs[0]: the needs go in a circle: a -> b -> a',
  ],
  [
    'waiting for a landing of what does not land',
    plan({ a: run, b: { ...run, needs: [{ node: 'a', until: 'landed' }] } }),
    'nodes.b.needs[0].node: `a` is of kind run: nothing of it lands, so `until: landed` would never come',
  ],
  [
    'no kind',
    plan({ a: { title: 'x' } }),
    'nodes.a: a node is exactly one of `agent`, `run`, `human`, `change`, `panel`, `ticket`; none is there',
  ],
  [
    'two kinds',
    plan({ a: { run: 'x', human: 'y' } }),
    'nodes.a: a node is exactly one of `agent`, `run`, `human`, `change`, `panel`, `ticket`; here are `run` and `human`',
  ],
  [
    'an agent without a prompt',
    plan({ a: { agent: {} } }),
    'nodes.a.agent: an agent has exactly one of `prompt`, `promptFile`; none is there',
  ],
  [
    'argv and script',
    plan({ a: { run: { argv: ['x'], script: 'y' } } }),
    'nodes.a.run: a program has exactly one of `argv`, `script`; here are `argv` and `script`',
  ],
  ['resume of an unknown node', plan({ a: { agent: { prompt: 'x', resume: 'z' } } }), 'nodes.a.agent.resume: no node `z`'],
  [
    'resume of a program',
    plan({ a: run, b: { agent: { prompt: 'x', resume: 'a' }, needs: ['a'] } }),
    'nodes.b.agent.resume: `a` is no agent node: it has no session to continue',
  ],
  [
    'resume of a node that may still run',
    plan({ a: { agent: { use: 'claude', prompt: 'x' } }, b: { agent: { use: 'claude', prompt: 'x', resume: 'a' } } }),
    'nodes.b.agent.resume: `a` does not come before `b` (add it to the needs of `b`)',
  ],
  [
    "resume of another agent's session",
    plan({ a: { agent: { use: 'codex', prompt: 'x' } }, b: { agent: { use: 'claude', prompt: 'x', resume: 'a' }, needs: ['a'] } }),
    'nodes.b.agent.resume: `a` is run by codex: claude cannot go on with its session',
  ],
];

const humans: Row[] = [
  ['a choice twice', withHuman({ ask: 'x', choices: ['yes', 'yes'] }), 'nodes.gate.human.choices[1]: `yes` is a choice twice'],
  [
    'an unknown word at the deadline',
    withHuman({ ask: 'x', choices: ['yes'], deadline: '1h', onDeadline: 'yess' }),
    'nodes.gate.human.onDeadline: `yess` is none of fail, keep-waiting, yes (did you mean `yes`?)',
  ],
  [
    'onDeadline without a deadline',
    withHuman({ ask: 'x', onDeadline: 'fail' }),
    'nodes.gate.human.onDeadline: `onDeadline` without a `deadline` would never come',
  ],
  [
    'a choice called fail',
    withHuman({ ask: 'x', choices: ['fail'] }),
    'nodes.gate.human.choices[0]: `fail` is a word of `onDeadline` and cannot name a choice',
  ],
  [
    'sending back to no node',
    withHuman({ ask: 'x', choices: [{ name: 'no', sendsBack: 'z' }] }),
    'nodes.gate.human.choices[0].sendsBack: no node `z`',
  ],
  [
    'sending back to what does not come before',
    withHuman({ ask: 'x', choices: [{ name: 'no', sendsBack: 'a' }] }),
    'nodes.gate.human.choices[0].sendsBack: `a` does not come before `gate`: only what it needs can be sent back to',
  ],
  [
    'rejecting and sending back',
    withHuman({ ask: 'x', choices: [{ name: 'no', sendsBack: 'a', rejects: true }] }, ['a']),
    'nodes.gate.human.choices[0].name: `no` cannot both reject and send back: one choice settles, the other does not',
  ],
  [
    'a rewind of what may be merged',
    plan({
      a: run,
      b: { change: { run: 'x', publish: { policy: 'merge' } }, needs: ['a'] },
      gate: { human: { ask: 'x', choices: [{ name: 'no', sendsBack: 'a' }] }, needs: ['b'] },
    }),
    'nodes.gate.human.choices[0].sendsBack: sending back to `a` would rewind `b`, whose change may be merged by then',
  ],
  [
    'a select without options',
    withHuman({ ask: 'x', fields: { size: { type: 'select' } } }),
    'nodes.gate.human.fields.size: a select needs `options`',
  ],
];

const changes: Row[] = [
  [
    'a change without work',
    withChange({ repo: '.' }),
    'nodes.b.change: a change has exactly one of `steps`, `agent`, `run`; none is there',
  ],
  ['a change without a step', withSteps({}), 'nodes.b.change.steps: a change needs at least one step'],
  [
    'a step need that cycles',
    withSteps({ x: { ...run, needs: ['y'] }, y: { ...run, needs: ['x'] } }),
    'nodes.b.change.steps.x.needs[0]: the needs go in a circle: x -> y -> x',
  ],
  ['a step that needs itself', withSteps({ x: { ...run, needs: ['x'] } }), 'nodes.b.change.steps.x.needs[0]: a step cannot need itself'],
  [
    'an unknown step',
    withSteps({ test: run, y: { ...run, needs: ['tst'] } }),
    'nodes.b.change.steps.y.needs[0]: no step `tst` in `b`, and no such node (did you mean `test`?)',
  ],
  [
    'a step without a kind',
    withSteps({ x: {} }),
    'nodes.b.change.steps.x: a step is exactly one of `agent`, `run`, `human`; none is there',
  ],
  [
    'two bodies',
    withChange({ run: 'x', publish: { policy: 'push', body: 'x', draftBody: { prompt: 'y' } } }),
    'nodes.b.change.publish.draftBody: `body` is written already: give one of `body` and `draftBody`',
  ],
  ['a pin to nothing', withChange({ run: 'x', pins: [{ node: 'c' }] }), 'nodes.b.change.pins[0].node: no node `c`'],
  [
    'a quorum out of reach',
    plan({ a: { panel: { task: 'x', candidates: [{ use: 'claude' }], quorum: 2 } } }),
    'nodes.a.panel.quorum: a quorum of 2 can never be reached by 1 judges',
  ],
  [
    'an unknown adapter of a seat',
    plan({ a: { panel: { task: 'x', candidates: [{ use: 'claud' }] } } }),
    expect.stringContaining('unknown agent "claud"') as unknown as string,
  ],
];

const machines: Row[] = [
  [
    'an unknown machine',
    plan({ a: { ticket: { machine: 'n' } } }, { machines: { m: { initial: 'one', states: { one: end } } } }),
    'nodes.a.ticket.machine: no machine `n`',
  ],
  ['an unknown initial state', withMachine({ one: end }, 'onee'), 'machines.m.initial: no state `onee` (did you mean `one`?)'],
  ['an unknown next state', withMachine({ one: { next: 'two' } }), 'machines.m.states.one.next: no state `two`'],
  ['an unreachable state', withMachine({ one: end, lost: end }), 'machines.m.states.lost: no way leads from `one` to `lost`'],
  ['a state without a way out', withMachine({ one: { agent: 'x' } }), 'machines.m.states.one: `one` has no way out and is not terminal'],
  [
    'a way out of a terminal state',
    withMachine({ one: { terminal: true, next: 'one' } }),
    'machines.m.states.one: `one` is terminal: nothing leads on from it',
  ],
  [
    'choices without a gate',
    withMachine({ one: { choices: { ok: 'two' } }, two: end }),
    'machines.m.states.one.choices: `choices` are for a gating state: write `gating: true`',
  ],
  [
    'an exit code that is none',
    withMachine({ one: { run: 'x', exit: { 300: 'two' } }, two: end }),
    'machines.m.states.one.exit.300: `300` is no exit code: 0 to 255, or else',
  ],
  [
    'targets that there are not',
    withMachine({ one: { agent: 'x', targets: 'all', next: 'two' }, two: end }),
    'machines.m.states.one.targets: the plan has no `targets`',
  ],
  [
    'a child that is no ticket',
    plan({ a: run, t: { ticket: { machine: 'm', children: ['a'] } } }, { machines: { m: { initial: 'one', states: { one: end } } } }),
    'nodes.t.ticket.children[0]: `a` is no ticket',
  ],
];

const asks = (prompt: string, more: Record<string, unknown> = {}) => plan({ a: run, late: run, b: { agent: prompt, needs: ['a'] } }, more);
const literal = 'write `$${{` for the characters themselves';
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
  it.each([...form, ...ids, ...graph, ...humans, ...changes, ...machines, ...expressions, ...outside])('%s', (_, raw, problem) => {
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

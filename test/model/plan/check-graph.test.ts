// Refusals of the graph, of people, changes and machines, one row each: what is wrong and what is said (plan.md, Refusals).

import { describe, expect, it } from '@jest/globals';
import { plan, problemsOf } from './plans.js';

const run = { run: 'true' };
const withHuman = (human: unknown, needs: string[] = []) => plan({ a: run, gate: { human, needs } });
const withChange = (change: unknown) => plan({ a: run, b: { change, needs: ['a'] } });
const withSteps = (steps: unknown) => withChange({ steps });
const withMachine = (states: unknown, initial = 'one') => plan({ a: run }, { machines: { m: { initial, states } } });
const end = { terminal: true };

type Row = [what: string, raw: unknown, problem: string];

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

describe('a plan is refused for', () => {
  it.each([...graph, ...humans, ...changes, ...machines])('%s', (_, raw, problem) => {
    expect(problemsOf(raw)).toContainEqual(problem);
  });
});

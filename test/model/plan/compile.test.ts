// From the plan as written to the plan as run, and what this release does not run.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkPlan } from '../../../model/plan/check.js';
import { compilePlan } from '../../../model/plan/compile.js';
import type { NodeSpec } from '../../../model/plan/compiled.js';
import { shortestCycles } from '../../../model/plan/cycles.js';
import { agent, definePlan, human, program } from '../../../model/plan/define.js';
import { LIMITS } from '../../../model/plan/limits.js';
import { notYet } from '../../../model/plan/not-yet.js';
import { formatPath } from '../../../model/plan/problem.js';
import { render } from '../../../model/plan/expressions.js';
import { findAdapter } from '../../../activities/agents/index.js';
import { CONTEXT, compiled, plan } from './plans.js';

const nodeOf = (raw: unknown, more: Record<string, unknown> = {}, context = {}): NodeSpec =>
  compiled(plan({ n: raw }, more), context).plan.nodes[0]!;

describe('a compiled node', () => {
  it('has every default', () => {
    expect(nodeOf({ run: 'make' })).toEqual({
      id: 'n',
      kind: 'run',
      labels: {},
      needs: [],
      startIf: 'needs-done',
      lock: [],
      timeoutMs: 2_700_000,
      expectsNoDiff: false,
      notify: true,
      onQuota: 'fail',
      run: { script: 'make', env: { pass: [], set: {} }, attempts: 1, okCodes: [0] },
    });
    expect(nodeOf({ agent: 'x' })).toMatchObject({
      kind: 'agent',
      lock: ['dir:.'],
      agent: { prompt: 'x', use: 'mine', permissions: 'edit', args: [], env: { pass: [], set: {} }, mustWork: false },
    });
    expect(nodeOf({ human: 'x' }).human).toEqual({ ask: 'x', choices: [{ name: 'attested' }], onDeadline: 'fail', while: 'waiting' });
  });

  it.each([
    ['argv', { run: ['npm', 'test'] }, { run: { argv: ['npm', 'test'] } }],
    ['its own timeout', { run: 'x', timeout: '1h30m' }, { timeoutMs: 5_400_000 }],
    ["the plan's timeout", { run: 'x' }, { timeoutMs: 60_000 }],
    ['one lock and several', { run: 'x', lock: 'db' }, { lock: ['db'] }],
    [
      'a lock beside the implicit one',
      { agent: { prompt: 'x', dir: './docs/' }, lock: ['a', 'b'] },
      { lock: ['a', 'b', 'dir:docs'], agent: { dir: 'docs' } },
    ],
    ['no lock for a reader', { agent: { prompt: 'x', permissions: 'read' } }, { lock: [] }],
    [
      'names and literals of variables',
      { run: { script: 'x', env: ['HOME', 'A=b=c'] } },
      { run: { env: { pass: ['HOME'], set: { A: 'b=c' } } } },
    ],
    ['a map of variables', { run: { script: 'x', env: { A: 'b' } } }, { run: { env: { pass: [], set: { A: 'b' } } } }],
    ['a need twice as one', { run: 'x', needs: ['m', 'm', { node: 'm' }] }, { needs: [{ node: 'm' }] }],
    ['its own executor', { run: 'x', executor: 'cloud', labels: { size: 'large' } }, { executor: 'cloud' }],
    ['the executor of the first rule that fits', { run: 'x', labels: { size: 'large', x: 'y' } }, { executor: 'gpu' }],
    [
      'choices with words and rounds',
      { human: { ask: 'x', choices: ['yes', { name: 'no', rejects: true }], deadline: '2h', onDeadline: 'no' } },
      { human: { choices: [{ name: 'yes' }, { name: 'no', rejects: true }], deadlineMs: 7_200_000, onDeadline: 'no' } },
    ],
  ])('takes %s', (_, raw, expected) => {
    const { nodes } = compiled(plan({ n: raw, m: { run: 'x' } }, { defaults: { timeout: '1m' } })).plan;
    const { timeoutMs, ...rest } = expected as Partial<NodeSpec>;
    expect(nodes[0]).toMatchObject(timeoutMs === undefined ? rest : expected);
  });

  it('has its prompt from a file, after what its persona says, which is never read for expressions', () => {
    const node = nodeOf({ agent: { promptFile: 'p.md' }, persona: 'terse' }, {}, { promptFiles: { 'p.md': 'Run ${{ run.id }}' } });
    expect(render(node.agent!.prompt, { inputs: {}, needs: {}, run: { id: 'r1' } })).toBe('Be terse. ${{ run.id }}\n\nRun r1');
  });

  it('has the agent that the flag names, whatever it says itself', () => {
    expect(nodeOf({ agent: { prompt: 'x', use: 'claude' } }, {}, { agentFlag: 'codex' }).agent?.use).toBe('codex');
  });

  it('stands where it was written, also when its id is a number', () => {
    const { nodes } = compiled(plan({ b: { run: 'x' }, 2: { run: 'x' }, 1: { run: 'x' } }), { nodeOrder: ['b', '2', '1'] }).plan;
    expect(nodes.map((node) => node.id)).toEqual(['b', '2', '1']);
  });
});

describe('a compiled plan', () => {
  it('has the given inputs over the defaults, all as text', () => {
    const inputs = { a: { default: 1, type: 'number' }, b: { default: 'x' }, c: {}, d: { required: true } };
    expect(compiled(plan({ n: { run: 'x' } }, { inputs }), { inputs: { b: 'y', d: 'z' } }).plan.inputs).toEqual({ a: '1', b: 'y', d: 'z' });
  });

  it('is four wide and named after its file unless it says otherwise', () => {
    expect(compiled({ version: 1, nodes: { n: { run: 'x' } } }, { fallbackName: 'file' }).plan).toMatchObject({
      name: 'file',
      concurrency: 4,
    });
  });

  it.each([
    [
      'agents that write in one folder and could run at once',
      { a: { agent: 'x' }, b: { agent: 'y' } },
      'a, b may write in the project folder: they run one at a time',
    ],
    ['a persona that is not there', { a: { agent: 'x', persona: 'wordy' } }, 'a: persona `wordy` is not in the config: it is only a label'],
    ['a cost that cannot be held', { a: { agent: { prompt: 'x', maxCost: 1 } } }, 'a: mine cannot be held to a cost'],
    ['a timeout of a person', { a: { human: 'x', timeout: '5m' } }, 'a: a timeout is of a dispatch and does nothing here'],
  ])('warns of %s', (_, nodes, warning) => {
    expect(compiled(plan(nodes)).warnings).toEqual([expect.stringContaining(warning)]);
  });

  it('does not warn of agents that their needs put in one line', () => {
    const nodes = { c: { agent: 'z', needs: ['m'] }, a: { agent: 'x' }, m: { run: 'x', needs: ['b'] }, b: { agent: 'y', needs: ['a'] } };
    expect(compiled(plan(nodes)).warnings).toEqual([]);
  });
});

describe('not yet', () => {
  const featuresOf = (raw: unknown) => {
    const checked = checkPlan(raw, CONTEXT);
    if (!checked.ok) throw new Error('refused');
    return notYet(checked.plan, compilePlan(checked.plan, CONTEXT).plan, CONTEXT).map(
      ({ path, message }) => `${formatPath(path)}: ${message}`,
    );
  };

  it.each([
    ['change nodes', plan({ a: { change: { run: 'x' } } }), 'nodes.a.change: not yet: change nodes'],
    ['panel nodes', plan({ a: { panel: { task: 'x', candidates: [{ use: 'claude' }] } } }), 'nodes.a.panel: not yet: panel nodes'],
    [
      'ticket nodes',
      plan({ a: { ticket: { machine: 'm' } } }, { machines: { m: { initial: 'x', states: { x: { terminal: true } } } } }),
      'nodes.a.ticket: not yet: ticket nodes',
    ],
    [
      'needs of another run',
      plan({ a: { run: 'x', needs: [{ run: 'r', node: 'n' }] } }),
      'nodes.a.needs[0].run: not yet: needs of another run',
    ],
    ['a budget', plan({ a: { run: 'x' } }, { budget: { costUsd: 1 } }), 'budget: not yet: a budget for the run'],
    ['waiting for a quota', plan({ a: { run: 'x', onQuota: 'wait' } }), 'nodes.a.onQuota: not yet: onQuota: wait'],
    [
      'push-back',
      plan({ a: { run: 'x' }, g: { human: { ask: 'x', choices: [{ name: 'no', sendsBack: 'a' }] }, needs: ['a'] } }),
      'nodes.g.human.choices[0].sendsBack: not yet: sendsBack',
    ],
    ['who may answer', plan({ a: { human: { ask: 'x', who: ['me'] } } }), 'nodes.a.human.who: not yet: who may answer'],
    ['fields', plan({ a: { human: { ask: 'x', fields: { n: { type: 'text' } } } } }), 'nodes.a.human.fields: not yet: fields in an answer'],
    [
      'a schema for an agent that takes none',
      plan({ a: { agent: { prompt: 'x', output: {} } } }),
      'nodes.a.agent.output: not yet: output with mine',
    ],
  ])('names %s', (_, raw, feature) => {
    expect(featuresOf(raw)).toEqual([feature]);
  });

  it('is empty for what is run', () => {
    const raw = definePlan({
      version: 1,
      nodes: {
        a: program(['true']),
        b: agent({ use: 'claude', prompt: 'x', output: { type: 'object' } }),
        c: human('ok?', { needs: ['a', 'b'] }),
      },
    });
    expect(featuresOf(raw)).toEqual([]);
  });
});

describe('any plan', () => {
  const nodes = fc.array(
    fc.record({
      needs: fc.array(fc.nat(40), { maxLength: 4 }),
      work: fc.constantFrom(
        { run: 'true' },
        { run: ['a', 'b'] },
        { human: 'ok?' },
        { agent: 'x' },
        { agent: { prompt: 'x', use: 'claude', dir: 'd' } },
      ),
      more: fc.constantFrom({}, { timeout: '5m' }, { lock: 'l' }, { if: 'any-failed' }, { labels: { a: 'b' }, title: 'x' }),
    }),
    { minLength: 1, maxLength: 40 },
  );

  it('that is right compiles, has no circle, and is plain JSON', () => {
    fc.assert(
      fc.property(nodes, (list) => {
        const raw = Object.fromEntries(
          list.map(({ needs, work, more }, i) => [
            `n${i}`,
            { ...work, ...more, needs: needs.filter((to) => to < i).map((to) => `n${to}`) },
          ]),
        );
        const { plan: result } = compiled(plan(raw));
        expect(shortestCycles(new Map(result.nodes.map((node) => [node.id, node.needs.map((need) => need.node)])))).toEqual([]);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        expect(result.nodes.map((node) => node.id)).toEqual(list.map((_, i) => `n${i}`));
      }),
      { numRuns: 200 },
    );
  });

  it('whatever it says, is judged and never thrown at', () => {
    const junk = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('a', 'b', '${{ needs.a.output }}', 0, true, null, 'nodes'),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('map'),
      ),
      map: fc.dictionary(
        fc.constantFrom(
          'version',
          'nodes',
          'a',
          'b',
          'agent',
          'run',
          'human',
          'change',
          'panel',
          'ticket',
          'machines',
          'states',
          'steps',
          'needs',
          'choices',
          'sendsBack',
          'resume',
          'publish',
        ),
        tie('value'),
        { maxKeys: 6 },
      ),
    }));
    fc.assert(
      fc.property(junk.map, (raw) => void checkPlan(raw, CONTEXT)),
      // found once: a list of nodes whose texts stand in no node
      { numRuns: 500, examples: [[{ nodes: [{ agent: '${{ needs.a.output }}' }] }]] },
    );
  });
});

describe('what adapters can be held to', () => {
  it.each(Object.entries(LIMITS))('%s says the same of itself', (name, limits) => {
    const found = findAdapter(name, {});
    const abilities = found.ok ? found.adapter.abilities : undefined;
    expect(abilities).toMatchObject({
      maxTurns: limits.maxTurns,
      maxCost: limits.maxCost,
      structured: limits.output,
      continue: limits.resume,
    });
  });
});

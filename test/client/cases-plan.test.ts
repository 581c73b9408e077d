// The field cases about plan files (group G), and the plan of 5 MB of O-44: read by the door that every command uses.

import { describe, expect, it } from '@jest/globals';
import { load, told } from './plan-temp.js';

const plan = (nodes: string) => `version: 1\nname: p\nnodes:\n${nodes}`;

describe('O-35 unquoted scalars as ids', () => {
  it('O-35 (a) a node called no is a node called no', async () => {
    const loaded = await load(plan('  no: { run: "true" }\n  next: { run: "true", needs: [no] }\n'));
    expect(loaded.ok && loaded.plan.nodes.map(({ id, needs }) => [id, needs])).toEqual([
      ['no', []],
      ['next', [{ node: 'no' }]],
    ]);
  });

  it.each([
    ['b', '  1.10: { run: "true" }\n', '4:3 nodes["1.10"]: `1.10` is a number in YAML 1.2, and a key is text (quote it: "1.10")'],
    ['c', '  007: { run: "true" }\n', '4:3 nodes.007: `007` is a number in YAML 1.2, and a key is text (quote it: "007")'],
    ['boolean', '  true: { run: "true" }\n', '4:3 nodes.true: `true` is a boolean in YAML 1.2, and a key is text (quote it: "true")'],
    ['null', '  ~: { run: "true" }\n', '4:3 nodes["~"]: `~` is a null in YAML 1.2, and a key is text (quote it: "~")'],
    [
      'f',
      '  "12": { run: "true" }\n  b: { run: "true", needs: [12] }\n',
      '5:29 nodes.b.needs[0]: `12` is a number in YAML 1.2, not text (quote it: "12")',
    ],
  ])('O-35 (%s) is refused with line, type and "quote it"', async (_, nodes, expected) => {
    expect(told(await load(plan(nodes)))).toContain(expected);
  });

  it.each([
    ['d', '2026-01-02', '2026-01-02'],
    ['e', '"007"', '007'],
  ])('O-35 (%s) is the text as it stands', async (_, key, id) => {
    const loaded = await load(plan(`  ${key}: { run: "true" }\n`));
    expect(loaded.ok && loaded.plan.nodes.map((node) => node.id)).toEqual([id]);
  });
});

describe('O-36 the same key twice', () => {
  it.each([
    [
      'two needs of one node',
      'plan.yaml',
      plan('  a: { run: "true" }\n  b:\n    needs: []\n    run: "true"\n    needs: [a]\n'),
      '8:5 nodes.b.needs: `needs` is written twice, first in line 6',
    ],
    [
      'two nodes of one id',
      'plan.yaml',
      plan('  a: { run: "true" }\n  b: { run: "true" }\n  a: { run: "false" }\n'),
      '6:3 nodes.a: `a` is written twice, first in line 4',
    ],
    [
      'a JSON plan with a second prompt',
      'plan.json',
      '{\n "version": 1,\n "nodes": {"a": {"agent": {"use": "mine",\n  "prompt": "x",\n  "prompt": "y"}}}\n}',
      '5:3 nodes.a.agent.prompt: `prompt` is written twice, first in line 4',
    ],
  ])('O-36 %s: refused, the key and both lines named', async (_, name, text, expected) => {
    expect(told(await load(text, { name }))).toEqual([expected]);
  });
});

describe('O-37 alias bombs, and honest aliases', () => {
  it('O-37 (a) nine levels of nine aliases are refused in under a second and 100 MB', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) =>
        `l${i}: &l${i} [${Array(9)
          .fill(i === 0 ? 'lol' : `*l${i - 1}`)
          .join(', ')}]`,
    );
    const [before, start] = [process.memoryUsage().heapUsed, performance.now()];
    const problems = told(await load(`${levels.join('\n')}\nversion: 1\nnodes: { a: { run: "true" } }\n`));
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
    expect(problems).toEqual([expect.stringContaining('the aliases in here expand to more than 200000 nodes')]);
  });

  it('O-37 (b) three hundred nodes with one alias each are read', async () => {
    const first = '  first: { run: { argv: [make], dir: &d docs, env: &e { A: b } } }';
    const nodes = Array.from({ length: 300 }, (_, i) => `  n${i}: { run: { argv: [make], dir: *d, env: *e } }`);
    const loaded = await load(plan([first, ...nodes].join('\n')));
    expect(told(loaded)).toEqual([]);
    expect(loaded.ok && loaded.plan.nodes.at(-1)?.run).toMatchObject({ dir: 'docs', env: { set: { A: 'b' } } });
  });

  it.each([
    ['an alias without an anchor', 'a: *x', 'no anchor `&x` stands before this alias'],
    ['an alias inside its own anchor', 'a: &x [*x]', '`*x` stands inside `&x` itself'],
  ])('O-37 %s is refused', async (_, line, message) => {
    expect(told(await load(`version: 1\n${line}\n`)).join('\n')).toContain(message);
  });
});

describe('O-44 (b) a plan of five megabytes', () => {
  it('O-44 one huge prompt is read', async () => {
    const prompt = 'Zeile mit Ümlaut und mehr Text als nötig.\n'.repeat(120_000);
    const loaded = await load(JSON.stringify({ version: 1, nodes: { a: { agent: { prompt, use: 'mine' } } } }), { name: 'big.json' });
    expect(loaded.ok && loaded.plan.nodes[0]?.agent?.prompt).toBe(prompt);
  });

  it('O-44 ten thousand nodes are read', async () => {
    const nodes = Array.from(
      { length: 10_000 },
      (_, i) => `  n${i}:\n    agent: { use: mine, prompt: "${'x'.repeat(400)} \${{ needs.n${i - 1}.output }}" }\n    needs: [n${i - 1}]`,
    );
    nodes[0] = '  n0: { run: "true" }';
    const loaded = await load(plan(nodes.join('\n')));
    expect(loaded.ok && loaded.plan.nodes.length).toBe(10_000);
  }, 60_000);

  it('O-44 over 8 MiB it is refused with the size and the limit', async () => {
    expect(told(await load(Buffer.alloc(8 * 1024 * 1024 + 1, 'x')))).toEqual(['0:0 : is 8388609 bytes; at most 8388608 (8 MiB) are read']);
  });
});

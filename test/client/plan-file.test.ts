// Plan files as they lie on a disk: every problem at its line and column, files around the plan, and what is no plan at all.

import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { formatProblem, loadPlan } from '../../client/plan-file.js';
import { loadConfig } from '../../client/config.js';
import { openProject } from '../../client/project.js';
import { CONFIG, inFolder, load, told } from './plan-temp.js';

const NINE = `version: 1
name: nine
concurrency: 0
nodes:
  survey:
    agent: { prompt: "What is \${{ inputs.ticket }}?", use: mine }
    timeout: 0s
  1.10:
    run: [npm, test]
  lint:
    run: [npm, run, lint]
    need: [survey]
  build:
    run: make \${{ run.id }}
    needs: [survy, lint]
  ping:
    run: "true"
    needs: [pong]
  pong:
    run: "true"
    needs: [ping]
    executor: gpus
`;

describe('a plan with many mistakes', () => {
  it('has every one told, in order, with line, column, path and what was meant', async () => {
    expect(told(await load(NINE))).toEqual([
      '3:14 concurrency: must be at least 1',
      '6:22 nodes.survey.agent.prompt: `${{ inputs.ticket }}`: the plan declares no input `ticket`',
      '7:14 nodes.survey.timeout: `0s` is zero; a duration is above zero',
      '8:3 nodes["1.10"]: `1.10` is a number in YAML 1.2, and a key is text (quote it: "1.10")',
      '12:5 nodes.lint.need: unknown field (did you mean `needs`?)',
      '14:10 nodes.build.run: `${{ }}` is never put into argv or shell text (a program reads the same values from the JSON file named in SLUICE_INPUTS)',
      '15:13 nodes.build.needs[0]: no node `survy` (did you mean `survey`?)',
      '18:13 nodes.ping.needs[0]: the needs go in a circle: ping -> pong -> ping',
      '22:15 nodes.pong.executor: no executor `gpus` (configured: gpu) (did you mean `gpu`?)',
    ]);
  });

  it('prints each as file:line:column: path: message (hint)', () => {
    const problem = { file: 'p.yaml', line: 4, column: 3, path: 'nodes.a', message: 'is wrong', hint: 'did you mean `b`?' };
    expect(formatProblem(problem)).toBe('p.yaml:4:3: nodes.a: is wrong (did you mean `b`?)');
    expect(formatProblem({ file: 'p.yaml', line: 0, column: 0, path: '', message: 'does not exist' })).toBe('p.yaml: does not exist');
  });
});

describe('the text of a plan', () => {
  const good = 'version: 1\nname: p\nnodes:\n  a: { run: "true" }\n';

  it.each([
    ['a byte-order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(good)])],
    ['CRLF', good.replaceAll('\n', '\r\n')],
    ['a comment and an end mark', `# a plan\n---\n${good}...\n`],
  ])('is read with %s', async (_, text) => {
    const loaded = await load(text);
    expect(told(loaded)).toEqual([]);
    expect(loaded.ok && [loaded.plan.name, loaded.sha256]).toEqual(['p', createHash('sha256').update(text).digest('hex')]);
  });

  it.each([
    ['nothing', '', '1:1 : the file is empty'],
    ['comments alone', '# a\n', '1:1 : the file is empty'],
    ['a second document', `${good}---\nb: 1\n`, '6:1 : a second document begins here: one file holds one'],
    ['tabs for indentation', 'version: 1\nnodes:\n\ta: 1\n', '3:1 : Tabs are not allowed as indentation'],
    ['a tag', good.replace('"true"', '!secret x'), '4:13 : Unresolved tag: !secret'],
    ['an older YAML', `%YAML 1.1\n---\n${good}`, '1:1 : %YAML 1.1: files are read as YAML 1.2'],
    [
      'merge keys',
      good.replace('{ run', '{ <<: { run: x }, run'),
      '4:8 nodes.a["<<"]: YAML 1.2 has no merge keys: write the alias as the value, or the fields themselves',
    ],
    ['a reserved key', good.replace('{ run', '{ __proto__: { x: 1 }, run'), '4:8 nodes.a.__proto__: `__proto__` cannot be a key'],
    ['a reserved id', good.replace('a:', '"__proto__":'), '4:3 nodes.__proto__: `__proto__` cannot be a key'],
    ['a node that is not there', good.replace('{ run: "true" }', ''), '4:3 nodes.a: expected a map, found null'],
    [
      'a number for text',
      good.replace('"true"', '[sleep, 1.50]'),
      '4:21 nodes.a.run[1]: `1.50` is a number in YAML 1.2, not text (quote it: "1.50")',
    ],
    [
      'nothing where text was wanted',
      good.replace('{ run: "true" }', '\n    run: x\n    title:'),
      '6:5 nodes.a.title: expected text, found nothing',
    ],
    ['bytes that are no text', Buffer.from([0x61, 0xff]), '0:0 : is not UTF-8'],
    ['a nest without end', `a: ${'['.repeat(100_000)}`, expect.any(String) as unknown as string],
    ['a nest that is closed', `a: ${'['.repeat(300)}${']'.repeat(300)}`, expect.stringContaining('nested too deeply') as unknown as string],
  ])('is refused with %s', async (_, text, problem) => {
    expect(told(await load(text))).toContainEqual(problem);
  });

  it.each([
    ['a comma too many', '{\n "version": 1,\n}', '3:1 : JSON: expected a key'],
    ['YAML in it', 'version: 1\n', '1:1 : JSON: expected a value'],
    ['an end too early', '{ "version": 1', '1:15 : JSON: expected `,` or `}`'],
    ['a second value', '{}\n{}', '2:1 : JSON: expected the end of the file'],
    ['a raw newline in a text', '{ "a": "b\n" }', '1:8 : JSON: expected a value'],
    ['a list that is not closed', '{ "a": [1, 2 }', '1:14 : JSON: expected `,` or `]`'],
  ])('of a JSON plan is refused with %s, at its place', async (_, text, place) => {
    expect(told(await load(text, { name: 'plan.json' }))).toEqual([place]);
  });

  it('of a JSON plan may hold a number where text is wanted, and is told so', async () => {
    expect(told(await load('{"version":1,"nodes":{"a":{"run":["x",7]}}}', { name: 'p.json' }))).toEqual([
      '1:39 nodes.a.run[1]: `7` is a number in JSON, not text (quote it: "7")',
    ]);
  });

  it('may share values through aliases, and a problem in one is shown where it is written', async () => {
    const text = 'version: 1\nnodes:\n  a: &a { run: x, tmeout: 5m }\n  b: *a\n';
    expect(told(await load(text)).map((line) => line.split(':').slice(0, 2).join(':'))).toEqual([
      '3:19 nodes.a.tmeout',
      '3:19 nodes.b.tmeout',
    ]);
  });
});

describe('a plan file', () => {
  it.each([
    ['plan.ts', 'not yet: TypeScript plans'],
    ['plan.mjs', 'not yet: TypeScript plans'],
    ['plan.toml', 'a plan is a .yaml, .yml or .json file'],
  ])('%s is refused: %s', async (name, message) => {
    expect(told(await load('x', { name }))).toEqual([`0:0 : ${message}`]);
  });

  it('that is not there, or a folder, is refused by name', async () => {
    await inFolder({ 'd.yaml/x': '' }, async (dir) => {
      const options = { inputs: {}, config: CONFIG, projectDir: dir };
      expect(told(await loadPlan(join(dir, 'no.yaml'), options))).toEqual(['0:0 : does not exist']);
      expect(told(await loadPlan(join(dir, 'd.yaml'), options))).toEqual(['0:0 : is a folder, not a file']);
    });
  });

  it('without a name is called as its file is', async () => {
    const loaded = await load('version: 1\nnodes: { a: { run: x } }\n', { name: 'My plan.v2.yaml' });
    expect(loaded.ok && loaded.plan.name).toBe('My-plan.v2');
  });

  it('keeps the order in which its nodes are written, numbers too', async () => {
    const loaded = await load('version: 1\nnodes: { b: { run: x }, "2": { run: x }, "1": { run: x } }\n');
    expect(loaded.ok && loaded.plan.nodes.map((node) => node.id)).toEqual(['b', '2', '1']);
  });

  it('is refused without a required input, and only read without one', async () => {
    const text = 'version: 1\ninputs:\n  ticket: { required: true }\nnodes: { a: { run: x } }\n';
    expect(told(await load(text))).toEqual(
      ['3:3 inputs.ticket: this input is required (give --input ticket=…)'].map((line) => line.replace('3:3', '3:11')),
    );
    expect(told(await load(text, { inputsLater: true }))).toEqual([]);
    const given = await load(text, { inputs: { ticket: 'T=1' } });
    expect(given.ok && given.plan.inputs).toEqual({ ticket: 'T=1' });
  });

  it('says with its place what is not run yet', async () => {
    const loaded = await load('version: 1\nnodes:\n  a:\n    change: { run: x }\n');
    expect(loaded.ok && loaded.notYet).toMatchObject([{ line: 4, path: 'nodes.a.change', message: 'not yet: change nodes' }]);
  });
});

describe('files that a plan names', () => {
  const agent = (fields: string) => `version: 1\nnodes:\n  a:\n    agent: { use: mine, ${fields} }\n`;

  it('a prompt file is read, and its expressions are checked', async () => {
    const files = { 'prompts/a.md': 'Ünder ${{ run.id }}', 'prompts/b.md': '${{ run.goal }}' };
    const loaded = await load(agent('promptFile: prompts/a.md'), { files });
    expect(loaded.ok && loaded.plan.nodes[0]?.agent).toMatchObject({ prompt: 'Ünder ${{ run.id }}', promptFile: 'prompts/a.md' });
    expect(told(await load(agent('promptFile: prompts/b.md'), { files }))).toEqual([
      '4:37 nodes.a.agent.promptFile: prompts/b.md: `${{ run.goal }}`: the plan has no `goal`',
    ]);
  });

  it.each([
    ['a prompt file that is not there', 'promptFile: none.md', '`none.md` does not exist'],
    ['a prompt file that is a folder', 'promptFile: sub', '`sub` is a folder, not a file'],
    ['a prompt file above the project', 'promptFile: ../x.md', '`../x.md` leaves the project'],
    ['a prompt file through a link', 'promptFile: out/x.md', '`out/x.md` leaves the project through a symbolic link'],
    ['a dir through a link', 'prompt: x, dir: out', '`out` leaves the project through a symbolic link'],
    ['a dir not there yet, through a link', 'prompt: x, dir: out/new', '`out/new` leaves the project through a symbolic link'],
    ['a dir that is a link to nothing outside', 'prompt: x, dir: gone', '`gone` leaves the project through a symbolic link'],
    ['a dir that is a file', 'prompt: x, dir: plan.yaml', '`plan.yaml` is a file, not a folder'],
  ])('%s is refused', async (_, fields, message) => {
    await inFolder({ 'x.md': 'outside', 'project/plan.yaml': agent(fields), 'project/sub/y': '' }, async (dir) => {
      const projectDir = join(dir, 'project');
      await symlink(dir, join(projectDir, 'out'));
      await symlink(join(dir, 'missing'), join(projectDir, 'gone'));
      const loaded = await loadPlan(join(projectDir, 'plan.yaml'), { inputs: {}, config: CONFIG, projectDir });
      expect(told(loaded)).toEqual([expect.stringMatching(/^4:\d+ nodes\.a\.agent\.(promptFile|dir): /)]);
      expect(told(loaded)[0]).toContain(message);
    });
  });

  it('a dir that is not there yet, and a link inside the project, are taken', async () => {
    await inFolder({ 'plan.yaml': agent('prompt: x, dir: inner/new'), 'sub/y': '' }, async (dir) => {
      await symlink('sub', join(dir, 'inner'));
      expect(told(await loadPlan(join(dir, 'plan.yaml'), { inputs: {}, config: CONFIG, projectDir: dir }))).toEqual([]);
    });
  });
});

describe('the examples', () => {
  const folder = join(import.meta.dirname, '../../examples');
  const open = async (name: string) => {
    const file = join(folder, name);
    const project = await openProject(file);
    const config = project.ok ? await loadConfig(project.value.dir, {}, '/nonexistent') : project;
    if (!project.ok || !config.ok) throw new Error('the examples have no project');
    return loadPlan(file, { inputs: {}, inputsLater: true, config: config.value.config, projectDir: project.value.dir });
  };

  it.each([
    ['quickstart.yaml', 0],
    ['agents.yaml', 0],
    ['release.yaml', 4],
  ])('%s is a plan that is right, with %d places that are not run yet', async (name, later) => {
    const loaded = await open(name);
    expect(told(loaded)).toEqual([]);
    expect(loaded.ok && [loaded.warnings, loaded.notYet.length]).toEqual([[], later]);
  });

  it('name the command that runs them in their first lines', async () => {
    for (const name of ['quickstart', 'agents']) {
      expect(await readFile(join(folder, `${name}.yaml`), 'utf8')).toContain(`sluice run examples/${name}.yaml`);
    }
  });
});

// `init`, `check`, `schema` and `run --dry-run`: what can be said of a plan without a server.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Place } from '../support/place.js';

const PLAN = `version: 1
name: small
inputs: { who: { type: string, required: true } }
nodes:
  a: { run: [echo, hi] }
  b: { run: [echo, ho], needs: [a] }
  ask: { human: { ask: "Hello \${{ inputs.who }}?", choices: [yes please, no thanks] }, needs: [a] }
  c: { run: [echo, end], needs: [b, ask] }
`
  .replace('yes please', 'take')
  .replace('no thanks', 'leave');

let place: Place;
beforeAll(async () => {
  // nothing may be asked of Temporal here: this port answers nobody
  place = await Place.open({ TEMPORAL_ADDRESS: '127.0.0.1:9' });
  await place.write('small.yaml', PLAN);
  await place.write('broken.yaml', 'version: 1\nnodes:\n  a: { run: [echo], needs: [b] }\n  c: { run: [echo], timeuot: 5m }\n');
});
afterAll(() => place.close());

describe('sluice init', () => {
  it('writes a plan that check accepts, a config and a .gitignore entry, and keeps what is there', async () => {
    const other = await Place.open();
    try {
      const first = await other.json<{ files: { file: string; action: string }[] }>('init');
      expect(first.files.map(({ action }) => action)).toEqual(['written', 'written', 'written']);
      expect((await other.cli('check', 'plan.yaml')).code).toBe(0);
      expect(await other.lines('.gitignore')).toEqual(['.sluice/']);
      await other.write('plan.yaml', 'mine');
      const second = await other.json<{ files: { file: string; action: string }[] }>('init');
      expect(second.files.map(({ action }) => action)).toEqual(['kept', 'kept', 'kept']);
      expect(await other.read('plan.yaml')).toBe('mine');
    } finally {
      await other.close();
    }
  });

  it('names an agent that is installed in the plan it writes', async () => {
    const other = await Place.open();
    try {
      await other.write('bin/claude', '#!/bin/sh\necho 1.0\n');
      const { stdout } = await other.start(['init', '--json'], { PATH: `${other.project}/bin:${process.env.PATH}` });
      expect(JSON.parse(stdout)).toMatchObject({ agents: ['claude'] });
      expect(await other.read('plan.yaml')).toContain('defaults: { agent: claude');
      expect((await other.cli('check', 'plan.yaml')).code).toBe(0);
    } finally {
      await other.close();
    }
  });

  it('adds to a .gitignore that does not end with a newline', async () => {
    const other = await Place.open();
    try {
      await other.write('.gitignore', 'dist');
      await other.cli('init');
      expect(await other.lines('.gitignore')).toEqual(['dist', '.sluice/']);
    } finally {
      await other.close();
    }
  });
});

describe('sluice check', () => {
  it('accepts a plan whose required inputs come later', async () => {
    const said = await place.cli('check', 'small.yaml');
    expect(said).toEqual({ code: 0, out: 'small.yaml: plan small, 4 nodes, ok', err: '' });
  });

  it('refuses with 2 and names every problem with its place', async () => {
    const said = await place.cli('check', 'broken.yaml');
    expect(said.code).toBe(2);
    expect(said.err).toMatch(/broken\.yaml:3:\d+: nodes\.a\.needs\[0\]/);
    expect(said.err).toMatch(/broken\.yaml:4:\d+: nodes\.c\.timeuot.*did you mean `timeout`/);
    expect(said.err).toContain('2 problems; nothing was started');
  });

  it('says the same as one document with --json', async () => {
    expect(await place.json('check', 'broken.yaml')).toMatchObject({ ok: false, problems: [{ line: 3 }, { line: 4 }] });
    expect(await place.json('check', 'small.yaml')).toMatchObject({
      ok: true,
      name: 'small',
      nodes: [{ id: 'a' }, { id: 'b' }, { id: 'ask' }, { id: 'c' }],
    });
  });
});

describe('sluice schema', () => {
  it('prints a JSON Schema that has the fields of a plan', async () => {
    expect(await place.json('schema')).toMatchObject({ type: 'object', properties: { version: {}, nodes: {} } });
  });
});

describe('sluice run, before anything is reached', () => {
  it('says with --dry-run what would start in which order, and starts nothing', async () => {
    const document = await place.json<{ waves: { id: string }[][] }>('run', 'small.yaml', '--input', 'who=me', '--dry-run');
    expect(document.waves.map((wave) => wave.map(({ id }) => id))).toEqual([['a'], ['b', 'ask'], ['c']]);
    const said = await place.cli('run', 'small.yaml', '--input', 'who=me', '--dry-run');
    expect(said.out).toContain('nothing was started');
  });

  it.each([
    ['a required input that is missing', [], /who/],
    ['a node that is not there', ['--attest', 'aks=take'], /no node "aks"; did you mean ask\?/],
    ['a node that asks nobody', ['--attest', 'a'], /a is no human node \(run\)/],
    ['several choices and none given', ['--attest', 'ask'], /choices take, leave; give --attest ask=CHOICE/],
    ['a choice it does not have', ['--attest', 'ask=tkae'], /no choice "tkae"; did you mean take\?/],
  ])('refuses %s with 2', async (what, args, message) => {
    const inputs = what.startsWith('a required') ? [] : ['--input', 'who=me'];
    const said = await place.cli('run', 'small.yaml', ...inputs, ...args);
    expect(said.code).toBe(2);
    expect(said.err).toMatch(message);
  });

  it('refuses what this release does not run yet, with its place', async () => {
    await place.write('later.yaml', 'version: 1\nname: later\nbudget: { costUsd: 1 }\nnodes:\n  a: { run: [echo] }\n');
    const said = await place.cli('run', 'later.yaml');
    expect(said.code).toBe(2);
    expect(said.err).toMatch(/later\.yaml:3:\d+: budget: not yet/);
  });

  it('ends with 3 when the configured Temporal does not answer, and starts no server of its own', async () => {
    const said = await place.cli('run', 'small.yaml', '--input', 'who=me', '--verbose');
    expect(said.code).toBe(3);
    expect(said.err).toContain('cannot reach Temporal at 127.0.0.1:9');
    expect(said.err).toContain('cause:');
    expect(await place.lines('../state/dev/dev.json')).toEqual([]);
  });
});

// The command line before any command works: parsing, exit codes, help that loads nothing heavy. Runs the built CLI; no server is asked.

import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Place } from '../support/place.js';

let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
afterAll(() => place.close());

describe('what cannot be parsed ends with 2 and one line that says why', () => {
  it.each([
    ['an unknown command, with what was meant', ['statsu'], /unknown command 'statsu'\s+\(Did you mean status\?\)/],
    ['an unknown option', ['list', '--opne'], /unknown option '--opne'\s+\(Did you mean --open\?\)/],
    ['a missing argument', ['check'], /missing required argument 'plan'/],
    ['an argument too many', ['list', 'x'], /too many arguments/],
    ['a count that is none', ['list', '--limit', 'many'], /'many' is invalid. Give a whole number/],
    ['an input without a value', ['run', 'p.yaml', '--input', 'x'], /--input x: give KEY=VALUE/],
    ['an input given twice', ['run', 'p.yaml', '-i', 'x=1', '-i', 'x=2'], /--input x is given twice/],
    ['a kind of event that there is not', ['events', 'r', '--kind', 'node-setled'], /did you mean node-settled\?/],
    ['a shell without completion', ['completion', 'csh'], /there is one for bash, zsh, fish/],
    ['a plan that is not there', ['check', 'nowhere.yaml'], /nowhere\.yaml/],
  ])('%s', async (_, args, message) => {
    const said = await place.cli(...args);
    expect({ code: said.code, out: said.out }).toEqual({ code: 2, out: '' });
    expect(said.err).toMatch(message);
  });

  it('no command at all shows the help', async () => {
    const said = await place.cli();
    expect(said.code).toBe(2);
    expect(said.out).toContain('Usage: sluice');
  });
});

describe('help and version', () => {
  it.each([[['--help']], [['help', 'run']], [['run', '--help']], [['--version']]])('%j ends with 0', async (args) => {
    expect((await place.cli(...args)).code).toBe(0);
  });

  it('does not show options that only commands use', async () => {
    expect((await place.cli('dev', '--help')).out).not.toContain('--embedded');
  });

  it('loads commander and nothing heavier before a command is called', async () => {
    expect([...(await packagesOf('cli/main.ts'))]).toEqual(['commander']);
  });
});

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('for %s knows every command', async (shell) => {
    const said = await place.cli('completion', shell);
    expect(said.code).toBe(0);
    for (const name of ['run', 'attest', 'waiting', 'doctor']) expect(said.out).toContain(name);
  });
});

describe('what an agent or program may not say from inside its dispatch', () => {
  it.each([
    ['attest', 'r', 'n'],
    ['reply', 'r', '1', 'yes'],
    ['cancel', 'r'],
    ['retry', 'r', 'n'],
  ])('%s is refused with 4', async (...args) => {
    const child = place.start(args, { SLUICE_RUN: 'r', SLUICE_NODE: 'builder' });
    const { exitCode, stderr } = await child;
    expect(exitCode).toBe(4);
    expect(stderr).toContain('inside the dispatch of builder in run r');
  });
});

/** Packages that the static imports of a file reach; types and lazy imports cost nothing at the start. */
async function packagesOf(entry: string): Promise<Set<string>> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const queue = [resolve(entry)];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = await readFile(file, 'utf8');
    for (const [, name] of text.matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)';$/gms)) {
      if (name!.startsWith('.')) queue.push(join(dirname(file), name!.replace(/\.js$/, '.ts')));
      else if (!name!.startsWith('node:')) found.add(name!);
    }
  }
  return found;
}

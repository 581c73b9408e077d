// Where a project is on this host, and what its configuration says.

import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseConfig, projectConfigs } from '../../workers/project-config.js';
import { projectDir, readProjects } from '../../workers/projects.js';

let dir: string;
let warnings: string[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-project-'));
  warnings = [];
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

const write = (text: string) => writeFile(join(dir, 'sluice.config.yaml'), text);

describe('SLUICE_PROJECTS', () => {
  it.each<[string | undefined, Record<string, string>, number]>([
    [undefined, {}, 0],
    ['app=/srv/app', { app: '/srv/app' }, 0],
    ['https://host/a.git?x=1=/srv/a; git@host:b.git=/srv/b\n', { 'https://host/a.git?x=1': '/srv/a', 'git@host:b.git': '/srv/b' }, 0],
    ['app=relative;=/srv;lonely;ok=/x', { ok: '/x' }, 3],
  ])('%j is read as %j', (value, projects, warned) => {
    const read = readProjects(value);
    expect(read.projects).toEqual(projects);
    expect(read.warnings).toHaveLength(warned);
  });
});

describe('the project on this host', () => {
  it('is its own path where that exists, the mapped one where it is mapped, else missing', async () => {
    const other = join(dir, 'other');
    await mkdir(other);
    await writeFile(join(dir, 'file'), '');
    expect(await projectDir({}, { id: 'p', dir })).toBe(dir);
    expect(await projectDir({ p: other }, { id: 'p', dir })).toBe(other);
    expect(await projectDir({ p: join(dir, 'gone') }, { id: 'p', dir })).toBeUndefined();
    expect(await projectDir({}, { id: 'p', dir: join(dir, 'gone') })).toBeUndefined();
    expect(await projectDir({}, { id: 'p', dir: join(dir, 'file') })).toBeUndefined();
    expect(await projectDir({}, { id: 'p', dir: join(dir, 'file', 'below') })).toBeUndefined();
    expect(await projectDir({}, { id: 'constructor', dir })).toBe(dir);
  });
});

describe('the configuration of a project', () => {
  it('is empty without a file, and read again when the file changes', async () => {
    const config = projectConfigs((line) => warnings.push(line));
    expect(await config(dir)).toEqual({});
    await write('defaults: { agent: claude }\n');
    expect(await config(dir)).toEqual({ defaults: { agent: 'claude' } });
    expect(await config(dir)).toBe(await config(dir));
    await write('defaults: { agent: codex }\n');
    expect(await config(dir)).toEqual({ defaults: { agent: 'codex' } });
    await unlink(join(dir, 'sluice.config.yaml'));
    expect(await config(dir)).toEqual({});
    expect(warnings).toEqual([]);
  });

  it('stays as it was while the file is broken, with one warning', async () => {
    const config = projectConfigs((line) => warnings.push(line));
    await write('me: ada\n');
    await config(dir);
    await write('me: ada\nagents: [\n');
    expect(await config(dir)).toEqual({ me: 'ada' });
    expect(await config(dir)).toEqual({ me: 'ada' });
    expect(warnings).toEqual([expect.stringContaining(`${join(dir, 'sluice.config.yaml')}:`)]);
    await write('me: bob\n');
    expect(await config(dir)).toEqual({ me: 'bob' });
  });

  it('is empty while the file was never good', async () => {
    await write('unknown: 1\n');
    expect(await projectConfigs((line) => warnings.push(line))(dir)).toEqual({});
    expect(warnings).toEqual([expect.stringContaining('unknown')]);
  });

  it('says so when it cannot be read', async () => {
    await mkdir(join(dir, 'sluice.config.yaml'));
    expect(await projectConfigs((line) => warnings.push(line))(dir)).toEqual({});
    expect(warnings).toEqual([expect.stringContaining('EISDIR')]);
  });

  it.each([
    ['me: ada\nfleet: "no fleet"\n', 'c.yaml:2: fleet'],
    ['me: ada\n\nfleat: x\n', 'c.yaml:3: '],
    ['agents:\n  mine:\n    argv: []\n', 'c.yaml:3: agents.mine.argv'],
    ['me: a\nme: b\n', 'c.yaml:2: '],
    ['- a\n', 'c.yaml:1: '],
    [
      'a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n',
      'c.yaml: ',
    ],
  ])('is refused by line: %j', (text, start) => {
    const parsed = parseConfig(text, 'c.yaml');
    expect(parsed).toMatchObject({ ok: false, reason: expect.stringContaining(start) });
  });

  it('may be empty', () => {
    expect(parseConfig('# nothing yet\n', 'c.yaml')).toEqual({ ok: true, config: {} });
  });
});

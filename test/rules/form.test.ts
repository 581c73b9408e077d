// The form of the files themselves: lengths, headers, names, and words that belong to a machine and not to the project.
// What a linter sees is left to eslint.config.mjs.

import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { projectFiles, read, texts } from './tree.js';

const SOURCE = /^(model|workflows|activities|workers|client|cli|web|temporal-dev)\/.*\.tsx?$/;
const CODE = /\.(ts|tsx|mjs|cjs)$/;
const MAX_LINES = 300;

let files: string[];
let code: { path: string; text: string }[];

beforeAll(async () => {
  files = await projectFiles();
  code = await texts(CODE);
});

const lineCount = (text: string) => text.split('\n').length - 1;

/** The value at `share` (0 to 1) of the sorted numbers. */
function quantile(numbers: number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Paths listed under "Exceptions to sizes" in docs/architecture.md, each as a list item that starts with the path in backquotes. */
async function exceptions(): Promise<string[]> {
  const section = (await read('docs/architecture.md')).split('\n## ').find((part) => part.startsWith('Exceptions to sizes')) ?? '';
  return [...section.matchAll(/^- `([^`]+)`/gm)].map((match) => match[1] ?? '');
}

/** Number of comment lines a file opens with, after a `#!` line; an empty comment line ends the header. */
function headerLines(text: string): number {
  const lines = text.split('\n');
  const first = lines[0]?.startsWith('#!') ? 1 : 0;
  const end = lines.slice(first).findIndex((line) => !line.startsWith('// '));
  return end === -1 ? lines.length - first : end;
}

describe('sizes of files', () => {
  it('no file is over 300 lines unless docs/architecture.md says why', async () => {
    const allowed = await exceptions();
    const long = code.filter(({ path, text }) => lineCount(text) > MAX_LINES && !allowed.includes(path));
    expect(long.map(({ path, text }) => `${path}: ${lineCount(text)} lines`)).toEqual([]);
  });

  it('every exception in docs/architecture.md is still needed', async () => {
    const long = code.filter(({ text }) => lineCount(text) > MAX_LINES).map(({ path }) => path);
    expect((await exceptions()).filter((path) => !long.includes(path))).toEqual([]);
  });

  it('source files have a median of at most 100 lines and nine of ten at most 200', () => {
    const lengths = code.filter(({ path }) => SOURCE.test(path)).map(({ text }) => lineCount(text));
    expect(quantile(lengths, 0.5)).toBeLessThanOrEqual(100);
    expect(quantile(lengths, 0.9)).toBeLessThanOrEqual(200);
  });
});

describe('what a file opens with', () => {
  it('every code file opens with one to four comment lines that say what it is', () => {
    const wrong = code.map(({ path, text }) => ({ path, lines: headerLines(text) })).filter(({ lines }) => lines < 1 || lines > 4);
    expect(wrong.map(({ path, lines }) => `${path}: ${lines} comment lines`)).toEqual([]);
  });
});

describe('names', () => {
  // Names that tools and readers look for in capitals.
  const KNOWN = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE'];
  const KEBAB = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;

  it('files and folders are named in kebab-case', () => {
    // Recorded fixtures keep the names that the tools gave them.
    const own = files.filter((path) => !path.startsWith('test/fixtures/'));
    const wrong = own.filter((path) => path.split('/').some((part) => !KEBAB.test(part) && !KNOWN.includes(part)));
    expect(wrong).toEqual([]);
  });

  it('no file is a drawer for everything', () => {
    const drawers = ['utils', 'util', 'helpers', 'misc', 'common', 'shared', 'lib'];
    expect(files.filter((path) => CODE.test(path) && drawers.includes(basename(path).replace(/\..*$/, '')))).toEqual([]);
  });

  it('a thing has one name everywhere: nothing is a default export', () => {
    // Configs, jest's global files and plans of the user are read by tools that ask for one.
    const own = code.filter(({ path }) => !/\.config\.mjs$|^test\/support\/global-|^examples\//.test(path));
    expect(own.filter(({ text }) => /^export default\b|\bas default\b/m.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe('what does not belong in the project', () => {
  // Written in pieces, so that this file does not contain what it looks for.
  const HOSTS = [
    ['registry', 'npmjs', 'org'],
    ['registry', 'yarnpkg', 'com'],
    ['pypi', 'org'],
    ['files', 'pythonhosted', 'org'],
    ['repo1', 'maven', 'org'],
    ['deb', 'debian', 'org'],
    ['crates', 'io'],
    ['proxy', 'golang', 'org'],
  ].map((parts) => parts.join('.'));
  const MACHINE_PATH = /(^|[^.\w])\/(work|farm|root)\/[a-z.]|(^|[^.\w])\/(home|Users)\/(?!(user|me|you|someone|u)\b)[a-z]/;

  /** `path:line` of every line of a text file that `hit` finds. */
  async function lines(hit: (line: string) => boolean): Promise<string[]> {
    const all = await texts(/^(?!.*\.(png|snap|zip|gz)$)/);
    return all.flatMap(({ path, text }) => text.split('\n').flatMap((line, index) => (hit(line) ? [`${path}:${index + 1}`] : [])));
  }

  it('paths of one machine', async () => {
    expect(await lines((line) => MACHINE_PATH.test(line))).toEqual([]);
  });

  it('hosts of package registries', async () => {
    expect(await lines((line) => HOSTS.some((host) => line.includes(host)))).toEqual([]);
  });

  it('tests that are focused', () => {
    const focused = code.filter(({ path, text }) => path.startsWith('test/') && /^\s*(it|test|describe)\.only\b/m.test(text));
    expect(focused.map(({ path }) => path)).toEqual([]);
  });

  it('words that put work off', () => {
    const later = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')}|X{3})\\b`);
    expect(code.filter(({ path, text }) => SOURCE.test(path) && later.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

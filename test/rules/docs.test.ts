// The documents among themselves: links lead somewhere, files they name are there, decisions are listed.

import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFiles, read, texts } from './tree.js';

/** Targets of the links of a Markdown page that lead into the project, without their anchors; code blocks are left out. */
function localLinks(text: string): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return targets.filter((target) => !/^[a-z]+:|^#/.test(target)).map((target) => target.replace(/#.*$/, ''));
}

describe('pages', () => {
  it('link to files and folders that are there', async () => {
    const files = await projectFiles();
    const isThere = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`));
    const pages = await texts(/\.md$/);
    const broken = pages.flatMap(({ path, text }) =>
      localLinks(text)
        .filter((target) => !isThere(normalize(join(dirname(path), target)).replace(/\/$/, '')))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('name files of the project that are there', async () => {
    const files = await projectFiles();
    const named = /`((?:model|workflows|activities|workers|client|cli|temporal-dev|test|scripts|docs)\/[\w./-]+\.(?:ts|tsx|mjs|md))`/g;
    const pages = await texts(/^(README|CONTRIBUTING|SECURITY)\.md$|^docs\/.*\.md$/);
    const missing = pages.flatMap(({ path, text }) =>
      [...text.matchAll(named)].filter((match) => !files.includes(match[1] ?? '')).map((match) => `${path}: ${match[1]}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('decisions', () => {
  it('are all listed in the index, each by its own first line, in order', async () => {
    const pages = await texts(/^docs\/adr\/\d{4}-.*\.md$/);
    const titles = pages.map(({ text }) => /^# (\d{4})\. (.*)$/m.exec(text)?.slice(1, 3));
    const index = await read('docs/adr/README.md');
    const listed = [...index.matchAll(/^\| (\d{4}) \| \[([^\]]+)\]/gm)].map((match) => match.slice(1, 3));
    expect(listed).toEqual(titles);
  });

  it('have a number of their own and say where they stand', async () => {
    const pages = await texts(/^docs\/adr\/\d{4}-.*\.md$/);
    const numbers = pages.map(({ path }) => /\/(\d{4})-/.exec(path)?.[1]);
    expect(new Set(numbers).size).toBe(numbers.length);
    const silent = pages.filter(({ text }) => !/^Status: (proposed|accepted|superseded by \d{4})\. Date: \d{4}-\d\d-\d\d\.$/m.test(text));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});

describe('the README', () => {
  it('names commands that exist', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    const called = [...(await read('README.md')).matchAll(/npm (?:run ([a-z:]+)|(test)\b)/g)].map((match) => match[1] ?? match[2] ?? '');
    expect(called.length).toBeGreaterThan(0);
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
  });
});

// The linter's own rules, shown to bite: what a model and a workflow must not use is reported, by rule and line.
// Text is linted under the name of a file that exists, since rules with types need one that the compiler knows.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { ROOT } from './tree.js';

type Row = [what: string, line: string, rules: string[]];

const TEXTS: Record<string, { path: string; rows: Row[] }> = {
  'a model must not use': {
    path: 'model/json.ts',
    rows: [
      ['the clock', 'export const a = Date.now();', ['no-restricted-properties']],
      ['the time as a Date', 'export const b = new Date();', ['no-restricted-syntax']],
      ['draws', 'export const c = Math.random();', ['no-restricted-properties']],
      ['order by locale', "export const d = 'a'.localeCompare('b');", ['no-restricted-syntax']],
      ['words by locale', 'export const e = (1).toLocaleString();', ['no-restricted-syntax']],
      ['Intl', "export const f = new Intl.Collator('en');", ['no-restricted-globals']],
      ['the process', 'export const g = process.env.HOME;', ['no-restricted-globals']],
      ['Buffer', "export const h = Buffer.from('');", ['no-restricted-globals']],
      ['structuredClone', 'export const i = structuredClone({});', ['no-restricted-globals']],
      ['timers', 'export const j = () => setTimeout(() => undefined, 1);', ['no-restricted-globals']],
      ['crypto', 'export const k = () => crypto.randomUUID();', ['no-restricted-globals']],
      ['node built-ins', "export { readFile } from 'node:fs/promises';", ['no-restricted-imports']],
      ['other packages', "export { execa } from 'execa';", ['no-restricted-imports']],
      ['a promise left alone', 'Promise.resolve(1);', ['@typescript-eslint/no-floating-promises']],
      [
        'a switch that forgets a case',
        "export const l = (x: 'p' | 'q') => { switch (x) { case 'p': return 1; } return 2; };",
        ['@typescript-eslint/switch-exhaustiveness-check'],
      ],
      ['a default export', 'export default 1;', ['no-restricted-syntax']],
    ],
  },
  'a model may use': {
    path: 'model/json.ts',
    rows: [
      ['zod', "import { z } from 'zod';", []],
      ['a time it was given', 'export const a = (ms: number) => z.string().parse(new Date(ms).toISOString());', []],
      ['order by code unit', "export const b = ['b', 'a'].sort();", []],
    ],
  },
  'a workflow must not use': {
    path: 'workflows/index.ts',
    rows: [
      ['node built-ins', "import { readFileSync } from 'node:fs';", ['no-restricted-imports']],
      ['the process', 'export const a = [readFileSync, process.pid];', ['no-restricted-globals']],
      ['an end of the process', 'export const b = () => process.exit(1);', ['no-restricted-properties', 'no-restricted-globals']],
    ],
  },
  'imports come in order': {
    path: 'client/connect.ts',
    rows: [
      ['built-ins first', "import { join } from 'node:path';", []],
      ['then packages', "import { z } from 'zod';", []],
      ['then files of the project', "import { isId } from '../model/ids.js';", []],
      ['a package after a file', "import { execa } from 'execa';", ['sluice/import-order']],
      ['types as types', "import { Refusal } from '../model/errors.js';", ['@typescript-eslint/consistent-type-imports']],
      ['what is used', 'export const used: [unknown, unknown, unknown, unknown, Refusal?] = [join, z, isId, execa];', []],
    ],
  },
};

let reports: { line: number; ruleId: string }[][];

beforeAll(async () => {
  const input = JSON.stringify(
    Object.values(TEXTS).map(({ path, rows }) => ({ path, text: rows.map(([, line]) => `${line}\n`).join('') })),
  );
  const { stdout } = await execa(process.execPath, ['test/rules/lint-texts.mjs'], { cwd: ROOT, input });
  reports = JSON.parse(stdout) as typeof reports;
}, 240_000);

describe.each(Object.entries(TEXTS).map(([name, { rows }], text) => ({ name, rows, text })))('$name', ({ rows, text }) => {
  it.each(rows.map(([what, , rules], index) => ({ what, rules, line: index + 1 })))('$what', ({ rules, line }) => {
    const broken = (reports[text] ?? []).filter((message) => message.line === line).map(({ ruleId }) => ruleId);
    expect([...new Set(broken)].sort()).toEqual([...rules].sort());
  });
});

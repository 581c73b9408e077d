// The import table of docs/architecture.md, held against the tree, and each of its rules shown to bite on a small tree of its own.

import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';

const ROOT = process.cwd();
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

interface Violation {
  from: string;
  to: string;
  rule: { name: string };
}

/** Runs dependency-cruiser in `cwd` over `folders`; its exit code only counts violations, which the output lists. */
async function violations(cwd: string, folders: string[]): Promise<Violation[]> {
  const args = [CRUISER, '--config', join(cwd, '.dependency-cruiser.cjs'), '--output-type', 'json', ...folders];
  const { stdout, stderr } = await execa(process.execPath, args, { cwd, reject: false, stdin: 'ignore' });
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser in ${cwd} printed no report: ${stderr}`);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

const FOLDERS = ['model', 'workflows', 'activities', 'workers', 'client', 'cli', 'temporal-dev'];

describe('the import table', () => {
  it('holds for every file of the tree', async () => {
    const found = await violations(ROOT, [...FOLDERS, 'test', 'bench', 'scripts']);
    expect(found.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
  }, 120_000);
});

// What the cases below import; each folder has at least one file that others may or may not reach.
const TARGETS = [
  'model/a.ts',
  'workflows/index.ts',
  'workflows/inner.ts',
  'activities/contract.ts',
  'activities/a.ts',
  'workers/a.ts',
  'workers/codec/a.ts',
  'client/a.ts',
  'cli/a.ts',
  'temporal-dev/a.ts',
  'test/a.ts',
];

const code = (source: string) => `import { A } from '${source}';\nexport const used = A;\n`;
const types = (source: string) => `import type { A } from '${source}';\nexport type Used = A;\n`;

type Case = [from: string, text: string, rules: string[]];

const CASES: Case[] = [
  ['model/fs.ts', code('node:fs'), ['model-imports']],
  ['model/execa.ts', code('execa'), ['model-imports']],
  ['model/temporal.ts', types('@temporalio/common'), ['model-imports']],
  ['model/outward.ts', types('../activities/contract.js'), ['model-imports']],
  ['model/fine.ts', code('zod') + types('./a.js').replaceAll('A', 'B').replace('Used', 'Other'), []],

  ['workflows/fs.ts', code('node:fs'), ['workflows-imports']],
  ['workflows/client.ts', code('@temporalio/client'), ['workflows-imports']],
  ['workflows/inward.ts', code('../activities/a.js'), ['workflows-imports']],
  ['workflows/contract-code.ts', code('../activities/contract.js'), ['workflows-types-only']],
  ['workflows/common-code.ts', code('@temporalio/common'), ['workflows-types-only']],
  ['workflows/contract-types.ts', types('../activities/contract.js'), []],
  ['workflows/common-types.ts', types('@temporalio/common'), []],
  ['workflows/fine.ts', code('@temporalio/workflow'), []],

  ['activities/workflow.ts', code('../workflows/index.js'), ['activities-imports']],
  ['activities/workflow-sdk.ts', code('@temporalio/workflow'), ['activities-imports']],
  ['activities/worker-sdk.ts', code('@temporalio/worker'), ['activities-imports']],
  ['activities/worker.ts', types('../workers/a.js'), ['activities-imports']],
  ['activities/cli.ts', code('../cli/a.js'), ['activities-imports']],
  ['activities/fine.ts', code('@temporalio/activity') + `import 'node:fs';\nimport 'execa';\nimport '../model/a.js';\n`, []],

  ['workers/workflow.ts', code('../workflows/index.js'), ['workers-imports']],
  ['workers/cli.ts', code('../cli/a.js'), ['workers-imports']],
  ['workers/dev.ts', code('../temporal-dev/a.js'), ['workers-imports']],
  ['workers/pair/dev.ts', code('../../temporal-dev/a.js'), []],
  ['workers/pair/cli.ts', code('../../cli/a.js'), ['workers-pair-imports']],
  ['workers/fine.ts', code('@temporalio/worker') + `import '../activities/a.js';\nimport 'yaml';\n`, []],
  ['workers/codec/worker.ts', code('../a.js'), ['codec-stands-alone']],

  ['client/activities.ts', types('../activities/contract.js'), ['client-imports']],
  ['client/workers.ts', code('../workers/a.js'), ['client-imports']],
  ['client/workflow-code.ts', code('../workflows/index.js'), ['client-types-only']],
  ['client/workflow-types.ts', types('../workflows/index.js'), []],
  ['client/workflow-inner.ts', types('../workflows/inner.js'), ['client-imports']],
  ['client/fine.ts', code('../workers/codec/a.js') + `import '@temporalio/client';\nimport '@temporalio/envconfig';\n`, []],

  ['cli/commands/status.ts', code('../../workers/a.js'), ['cli-imports']],
  ['cli/commands/check.ts', code('../../temporal-dev/a.js'), ['cli-imports']],
  ['cli/commands/list.ts', code('@temporalio/client'), ['cli-imports']],
  ['cli/commands/worker.ts', code('../../workers/a.js'), []],
  ['cli/commands/dev.ts', code('../../temporal-dev/a.js'), []],
  ['cli/commands/run.ts', code('../../temporal-dev/a.js'), []],
  ['cli/commands/down.ts', code('../../temporal-dev/a.js'), []],
  ['cli/render/worker.ts', code('../../workers/a.js'), ['cli-imports']],
  ['cli/commands/graph.ts', code('../../workflows/index.js'), ['cli-imports']],
  ['cli/commands/logs.ts', types('../../activities/contract.js'), ['cli-imports']],

  ['temporal-dev/model.ts', code('../model/a.js'), ['temporal-dev-imports']],
  ['temporal-dev/worker.ts', code('@temporalio/worker'), ['temporal-dev-imports']],
  ['temporal-dev/fine.ts', code('@temporalio/client') + `import 'execa';\nimport 'node:fs';\n`, []],

  ['client/tests.ts', code('../test/a.js'), ['client-imports', 'sources-never-import-tests']],
  ['client/missing.ts', code('./not-there.js'), ['not-unresolvable']],
  ['client/dev-only.ts', code('jest'), ['no-dev-dependency-in-sources']],
];

// Found from either end, so these have a test of their own.
const LOOSE: [path: string, text: string][] = [
  ['model/alone.ts', ''],
  ['client/round.ts', code('./round-back.js')],
  ['client/round-back.ts', types('./round.js')],
];

describe('a file that breaks the table is reported', () => {
  let dir: string;
  let found: Violation[];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sluice-imports-'));
    for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) await copyFile(join(ROOT, name), join(dir, name));
    await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
    const targets = TARGETS.map((path) => [path, 'export const A = 1;\n'] as const);
    for (const [path, text] of [...targets, ...CASES, ...LOOSE]) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    }
    found = await violations(dir, [...FOLDERS, 'test']);
  }, 120_000);

  afterAll(() => rm(dir, { recursive: true, force: true }));

  it.each(CASES)('%s', (from, _text, rules) => {
    const names = found.filter((violation) => violation.from === from && violation.rule.name !== 'no-orphans').map(({ rule }) => rule.name);
    expect(names.sort()).toEqual(rules);
  });

  it('two files that import each other are a cycle, even where one only names types of the other', () => {
    const cycles = found.filter(({ rule }) => rule.name === 'no-circular').map(({ from }) => from);
    expect(cycles).toHaveLength(1);
    expect(cycles[0]).toMatch(/^client\/round(-back)?\.ts$/);
  });

  it('a file that nothing imports and that imports nothing is an orphan', () => {
    expect(found).toContainEqual(
      expect.objectContaining({ from: 'model/alone.ts', rule: expect.objectContaining({ name: 'no-orphans' }) }),
    );
  });
});

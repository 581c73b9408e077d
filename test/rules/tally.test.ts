// The closing line of .ci/run: what is counted, and that nothing that went wrong is counted as nothing.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { ROOT } from './tree.js';

interface Step {
  name: string;
  code: number;
  report: string;
}

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-tally-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Writes a report in jest's form and returns its path. */
async function report(counts: { passed?: number; failed?: string[]; skipped?: number; unloadable?: string[] }): Promise<string> {
  const { passed = 0, failed = [], skipped = 0, unloadable = [] } = counts;
  const path = join(dir, `${String(passed)}-${failed.length}-${unloadable.length}.json`);
  const json = {
    numPassedTests: passed,
    numFailedTests: failed.length,
    numPendingTests: skipped,
    numTodoTests: 0,
    numRuntimeErrorTestSuites: unloadable.length,
    testResults: [
      {
        name: 'one.test.ts',
        status: failed.length === 0 ? 'passed' : 'failed',
        assertionResults: failed.map((fullName) => ({ status: 'failed', fullName })),
      },
      ...unloadable.map((name) => ({ name, status: 'failed', assertionResults: [] })),
    ],
  };
  await writeFile(path, JSON.stringify(json));
  return path;
}

/** Runs the script on steps; gives its lines and exit code. */
async function tally(steps: Step[]): Promise<{ lines: string[]; code: number | undefined }> {
  const path = join(dir, 'steps.ndjson');
  await writeFile(path, steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
  const { stdout, exitCode } = await execa(process.execPath, [join(ROOT, 'scripts/tally.mjs'), path], { reject: false, stdin: 'ignore' });
  return { lines: stdout.split('\n'), code: exitCode };
}

describe('the closing line', () => {
  it('adds up the tests of every suite and leaves passing checks out', async () => {
    const steps = [
      { name: 'lint', code: 0, report: '-' },
      { name: 'test', code: 0, report: await report({ passed: 30 }) },
      { name: 'agents', code: 0, report: await report({ passed: 4 }) },
    ];
    expect(await tally(steps)).toEqual({ lines: ['34 passed, 0 failed'], code: 0 });
  });

  it('tells skipped tests only when there are some', async () => {
    const steps = [{ name: 'test', code: 0, report: await report({ passed: 3, skipped: 2 }) }];
    expect((await tally(steps)).lines).toEqual(['3 passed, 0 failed, 2 skipped']);
  });

  it('names failed tests above it and exits 1', async () => {
    const steps = [{ name: 'test', code: 1, report: await report({ passed: 3, failed: ['a run starts'] }) }];
    expect(await tally(steps)).toEqual({ lines: ['failed: test: a run starts', '3 passed, 1 failed'], code: 1 });
  });

  it('counts a test file that could not be loaded', async () => {
    const steps = [{ name: 'test', code: 1, report: await report({ passed: 3, unloadable: ['two.test.ts'] }) }];
    expect(await tally(steps)).toEqual({ lines: ['failed: test: two.test.ts: could not be run', '3 passed, 1 failed'], code: 1 });
  });

  it('counts a failed check as one', async () => {
    const steps = [
      { name: 'lint', code: 1, report: '-' },
      { name: 'test', code: 0, report: await report({ passed: 3 }) },
    ];
    expect(await tally(steps)).toEqual({ lines: ['failed: lint: exit 1', '3 passed, 1 failed'], code: 1 });
  });

  it('counts a suite that left no report', async () => {
    const steps = [{ name: 'agents', code: 137, report: join(dir, 'none.json') }];
    expect(await tally(steps)).toEqual({ lines: ['failed: agents: no report (ENOENT), exit 137', '0 passed, 1 failed'], code: 1 });
  });

  it('counts a suite whose tests all passed and that still exited badly', async () => {
    const steps = [{ name: 'test', code: 124, report: await report({ passed: 3 }) }];
    expect((await tally(steps)).lines.at(-1)).toBe('3 passed, 1 failed');
  });

  it('counts a suite that ran no test, also when it exited well', async () => {
    const steps = [{ name: 'test', code: 0, report: await report({}) }];
    expect(await tally(steps)).toEqual({ lines: ['failed: test: ran no test', '0 passed, 1 failed'], code: 1 });
  });
});

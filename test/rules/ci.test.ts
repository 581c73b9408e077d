// .ci/run by itself, with a small program in npm's place: it goes on after a failure, and its last line tells the numbers.

import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { ROOT } from './tree.js';

// Writes down what it was asked, fails where FAIL says so, and writes jest's report where one is asked for.
const NPM = `#!/usr/bin/env bash
set -eu
echo "$*" >>"$LOG"
if IFS= read -r line; then echo "stdin was open: $line" >>"$LOG"; fi
for argument in "$@"; do
  case "$argument" in --outputFile=*)
    printf '{"numPassedTests":5,"numFailedTests":0,"numPendingTests":0,"numTodoTests":0,"numRuntimeErrorTestSuites":0,"testResults":[]}' >"\${argument#*=}"
  esac
done
case " $* " in *" $FAIL "*) exit 7 ;; esac
`;

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-ci-'));
  for (const folder of ['.ci', 'scripts', 'bin', 'test/chaos']) await mkdir(join(dir, folder), { recursive: true });
  for (const file of ['.ci/run', 'scripts/tally.mjs']) await copyFile(join(ROOT, file), join(dir, file));
  await writeFile(join(dir, '.ci/install-needs'), 'echo "needs: nothing"\n');
  await writeFile(join(dir, 'bin/npm'), NPM);
  await chmod(join(dir, 'bin/npm'), 0o755);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Runs the script with `fail` as the npm argument that fails; gives its last line, its exit code, and what npm was asked. */
async function run(fail: string): Promise<{ last: string | undefined; code: number | undefined; asked: string[] }> {
  const log = join(dir, 'npm.log');
  const env = { PATH: `${join(dir, 'bin')}${delimiter}${process.env.PATH ?? ''}`, LOG: log, FAIL: fail };
  const { stdout, exitCode } = await execa('bash', [join(dir, '.ci/run')], { cwd: tmpdir(), env, reject: false, stdin: 'ignore' });
  return { last: stdout.split('\n').at(-1), code: exitCode, asked: (await readFile(log, 'utf8')).trim().split('\n') };
}

describe('.ci/run', () => {
  it('runs every step with nothing on standard input, and adds up the suites', async () => {
    const { last, code, asked } = await run('nothing');
    expect({ last, code }).toEqual({ last: '15 passed, 0 failed', code: 0 });
    expect(asked.map((line) => line.split(' -- ')[0])).toEqual([
      'ci',
      'run build',
      'run format:check',
      'run lint',
      'run typecheck',
      'run imports',
      'run deadcode',
      'test',
      'run test:agents',
      'run test:time',
    ]);
  });

  it('runs chaos where there is such a suite', async () => {
    await writeFile(join(dir, 'test/chaos/kill.test.ts'), '');
    const { last, asked } = await run('nothing');
    expect(last).toBe('20 passed, 0 failed');
    expect(asked.at(-1)).toMatch(/^run test:chaos -- --json --outputFile=/);
  });

  it('goes on after a check that fails, and counts it', async () => {
    const { last, code, asked } = await run('lint');
    expect({ last, code }).toEqual({ last: '15 passed, 1 failed', code: 1 });
    expect(asked).toContain('run deadcode');
  });

  it('counts a suite that fails without a failed test', async () => {
    expect(await run('test:agents')).toMatchObject({ last: '15 passed, 1 failed', code: 1 });
  });

  it.each(['ci', 'build'])('stops where nothing after it would mean anything (%s), with a closing line all the same', async (step) => {
    const { last, code, asked } = await run(step);
    expect({ last, code }).toEqual({ last: '0 passed, 1 failed', code: 1 });
    expect(asked.join('\n')).not.toMatch(/^test/m);
  });
});

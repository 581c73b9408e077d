// Programs through a dispatch: exit codes, attempts, output, environment, deadlines, logs that cannot be written.

import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Activities, DispatchInput, DispatchResult } from '../../../activities/contract.js';
import { createActivities } from '../../../activities/index.js';
import { openScratch } from '../../../activities/dispatch/scratch.js';
import { isAlive, pidsIn, until } from '../process/support.js';
import { Bench, failureOf, LIMITS } from './support.js';

let bench: Bench;
beforeAll(async () => void (bench = await Bench.open({ env: { PATH: process.env.PATH, GITHUB_TOKEN: 'gh', PLAIN: 'seen' } })));
afterAll(() => bench.close());

const once = ({ dispatch }: Activities, input: DispatchInput) =>
  new MockActivityEnvironment().run<[DispatchInput], DispatchResult, Activities['dispatch']>(dispatch, input);
const sh = (text: string): string[] => ['sh', '-c', text];

describe('how a program ends', () => {
  it.each([
    { ends: 'exit 0', argv: ['true'], okCodes: [0], result: { ok: true, reached: 'spoke', endedBy: 'exit', output: '' } },
    { ends: 'an ok code', argv: sh('exit 3'), okCodes: [0, 3], result: { ok: true } },
    { ends: 'exit 0 that is not ok', argv: ['true'], okCodes: [3], result: { ok: false, outcome: 'task-failed', detail: 'exit 0' } },
    {
      ends: 'another code',
      argv: sh('echo a >&2; echo why >&2; echo >&2; exit 3'),
      okCodes: [0],
      result: { outcome: 'task-failed', detail: 'exit 3: why' },
    },
    {
      ends: 'a signal',
      argv: sh('kill -9 $$'),
      okCodes: [0],
      result: { outcome: 'task-failed', detail: 'ended by SIGKILL', endedBy: 'signal' },
    },
    {
      ends: 'no such program',
      argv: ['no-such-program'],
      okCodes: [0],
      result: { outcome: 'infrastructure-failure', reached: 'not-started', endedBy: 'not-started' },
    },
  ])('$ends', async ({ argv, okCodes, result }) => {
    expect(await bench.run(bench.program(argv, { okCodes }))).toMatchObject(result);
  });

  it('is asked again while it fails and attempts are left', async () => {
    const input = bench.program(sh('echo no >&2; exit 1'), {}, { limits: { ...LIMITS, attempts: 2 } });
    const first = bench.start(input);
    expect(await failureOf(first)).toMatchObject({ type: 'again', message: 'exit 1: no', nextRetryDelay: LIMITS.backoffMs });
    expect(first.details()).toMatchObject({ phase: 'failure', failures: 1 });
    const last = await bench.run(input, { attempt: 2, heartbeatDetails: first.details() });
    expect(last).toMatchObject({ outcome: 'task-failed', attempts: [{ attempt: 1, reason: 'exit 1: no' }, { attempt: 2 }] });
  });

  it('a script stops at the first step that fails', async () => {
    const failing = await bench.run(bench.program([], { argv: undefined, script: 'echo one\nfalse | cat\necho two' }));
    expect(failing).toMatchObject({ ok: false, output: 'one', detail: 'exit 1' });
  });

  it('runs again when its worker died', async () => {
    const result = await bench.run(bench.program(['true']), { attempt: 2 });
    expect(result).toMatchObject({ ok: true, attempts: [{ attempt: 2 }] });
  });
});

describe('what a program is given and gives', () => {
  it('finds its run and the values of ${{ }}, and no tokens', async () => {
    const result = await bench.run(
      bench.program(sh('cat "$SLUICE_INPUTS"; echo; echo "$SLUICE_RUN $SLUICE_NODE $SLUICE_ATTEMPT $PLAIN ${GITHUB_TOKEN-none}"')),
    );
    const [values, names] = result.output.split('\n');
    expect(JSON.parse(values ?? '')).toEqual({ inputs: { colour: 'red' }, needs: {}, run: { id: 'r' } });
    expect(names).toMatch(/^r n\d+ 1 seen none$/);
  });

  it('runs in its dir, which stays inside the project', async () => {
    await bench.run(bench.program(sh('mkdir -p inner; ln -s / out')));
    expect(await bench.run(bench.program(['pwd'], { dir: 'inner' }))).toMatchObject({ output: bench.path('inner') });
    for (const dir of ['out', '../', 'absent', '/etc']) {
      expect(await bench.run(bench.program(['pwd'], { dir }))).toMatchObject({ reached: 'not-started', outcome: 'project-missing' });
    }
  });

  it('says that its project is not on this host', async () => {
    const result = await bench.run(bench.program(['true'], {}, { project: { id: 'other', dir: '/x' } }));
    expect(result).toMatchObject({ outcome: 'project-missing', detail: 'project other (/x) is not on host here' });
  });

  it('keeps 16 KiB of its output, cut on a character, and the whole as an artifact', async () => {
    const result = await bench.run(bench.program(sh('yes aäöü€😀 | head -5000; echo end')));
    expect(Buffer.byteLength(result.output)).toBeLessThanOrEqual(16_384);
    expect(Buffer.byteLength(result.output)).toBeGreaterThan(16_000);
    expect(result.output).not.toContain('\ufffd');
    const whole = await bench.read(`.sluice/runs/r/artifacts/${result.outputArtifact}`);
    expect(whole).toBe(`${'aäöü€😀\n'.repeat(5_000)}end\n`);
    expect(await bench.logOf(result)).toBe(whole);
  });

  it('takes its output from a file when the plan says so', async () => {
    const file = { outputFile: 'out.txt' };
    expect(await bench.run(bench.program(sh('echo noise; echo value > out.txt'), file))).toMatchObject({ ok: true, output: 'value' });
    expect(await bench.run(bench.program(['true'], { outputFile: 'absent.txt' }))).toMatchObject({
      outcome: 'output-refused',
      detail: expect.stringContaining('ENOENT'),
    });
    await symlink('/etc/hostname', bench.path('link.txt'));
    expect(await bench.run(bench.program(['true'], { outputFile: 'link.txt' }))).toMatchObject({ outcome: 'output-refused', output: '' });
  });

  it('shows no secret in output, detail or log', async () => {
    bench.config = { ...bench.config, secrets: ['hunter2-secret'] };
    const result = await bench.run(bench.program(sh('echo "it is hunter2-secret"; echo "bad hunter2-secret" >&2; exit 1')));
    expect(result).toMatchObject({ output: 'it is ***', detail: 'exit 1: bad ***' });
    expect(await bench.logOf(result)).not.toContain('hunter2');
  });
});

describe('private files of a dispatch', () => {
  it('are this user’s alone while it runs, and gone afterwards, with those of killed workers', async () => {
    const folder = join(bench.deps.stateDir, 'scratch');
    const result = await bench.run(bench.program(sh('stat -c "%a %n" "$SLUICE_INPUTS"; stat -c %a "$(dirname "$SLUICE_INPUTS")"')));
    expect(result.output).toMatch(new RegExp(`^600 ${folder}/.*inputs.json\\n700$`));
    expect(await readdir(folder)).toEqual([]);
    await writeFile(join(folder, '999999999-1-prompt.txt'), 'of a killed worker');
    openScratch(folder);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('deadlines of a program', () => {
  it('is asked to stop at its timeout, and what it answered is kept', async () => {
    const input = bench.program(
      sh('trap "echo tidying; exit 1" TERM; echo $$ > pid-t; while :; do sleep 0.05; done'),
      {},
      { limits: { ...LIMITS, attempts: 1, timeoutMs: 500 } },
    );
    expect(await bench.run(input)).toMatchObject({ outcome: 'timed-out', endedBy: 'timeout', stop: { how: 'stopped', said: 'tidying' } });
  });

  it('is killed when it does not stop within the grace', async () => {
    const limits = { ...LIMITS, attempts: 1, timeoutMs: 300, graceMs: 300 };
    const result = await bench.run(bench.program(sh('trap "" TERM; echo $$ > pid-k; while :; do sleep 0.05; done'), {}, { limits }));
    expect(result).toMatchObject({ outcome: 'timed-out', stop: { how: 'killed' } });
    expect(pidsIn(bench.path('pid-k')).filter(isAlive)).toEqual([]);
  });

  it('killDispatch ends the grace of a cancelled one', async () => {
    const input = bench.program(
      sh('trap "" TERM; echo $$ > pid-c; while :; do sleep 0.05; done'),
      {},
      { limits: { ...LIMITS, graceMs: 600_000 } },
    );
    const running = bench.start(input);
    await until('it runs', () => pidsIn(bench.path('pid-c')).length === 1);
    running.cancel({ cancelRequested: true });
    expect(await bench.activities.killDispatch({ run: 'r', dispatch: input.id })).toEqual({ found: true });
    expect(await running.result).toMatchObject({ ok: false, endedBy: 'cancel', stop: { how: 'killed' } });
    expect(await bench.activities.killDispatch({ run: 'r', dispatch: input.id })).toEqual({ found: false });
  });
});

describe('a disk that refuses', () => {
  it('that cannot even hold the inputs is told, and asked again', async () => {
    await writeFile(join(bench.folder, 'file'), '');
    const blocked = createActivities({ ...bench.deps, stateDir: join(bench.folder, 'file') });
    const result = await once(blocked, bench.program(['true']));
    expect(result).toMatchObject({ reached: 'not-started', outcome: 'infrastructure-failure', detail: expect.stringContaining('ENOTDIR') });
  });

  it('under the project or its configuration ends the dispatch with the reason', async () => {
    const config = (): never => {
      throw Object.assign(new Error('EIO: i/o error, stat'), { code: 'EIO' });
    };
    const broken = createActivities({ ...bench.deps, config });
    const result = await once(broken, bench.program(['true']));
    expect(result).toMatchObject({ ok: false, outcome: 'infrastructure-failure', detail: 'EIO: i/o error, stat' });
  });

  it('costs the log, is said once, and never the work', async () => {
    const dir = bench.path('no-logs');
    await bench.run(bench.program(sh('mkdir no-logs && echo > no-logs/.sluice')));
    const blocked = await Bench.open({ projectDir: async () => dir });
    try {
      const result = await blocked.run(blocked.program(sh('echo fine')));
      expect(result).toMatchObject({ ok: true, output: 'fine', detail: 'its log could not be written (ENOTDIR)' });
    } finally {
      await blocked.close();
    }
  });
});

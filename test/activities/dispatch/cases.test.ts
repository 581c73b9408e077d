// Field cases about agents as child processes and their streams, at the level of one dispatch.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAlive, pidsIn, until } from '../process/support.js';
import { Bench, failureOf, LIMITS } from './support.js';

let bench: Bench;
beforeAll(
  async () =>
    void (bench = await Bench.open({
      env: { PATH: process.env.PATH, HOME: '/nonexistent', CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', WANTED: 'yes' },
    })),
);
afterAll(() => bench.close());

describe('the agent as a child process', () => {
  it('O-01 an agent that reads its stdin to the end gets its end', async () => {
    const before = Date.now();
    const result = await bench.run(await bench.agent([{ readStdin: true }, { say: 'hello' }, { ok: 'done' }]));
    expect(result).toMatchObject({ ok: true, reached: 'spoke', output: 'done', endedBy: 'exit', attempts: [{ attempt: 1 }] });
    expect(Date.now() - before).toBeLessThan(5_000);
  });

  it('O-02 a prompt of 200 KiB arrives as it is', async () => {
    const prompt = '-ä€😀 line\n'.repeat(15_000);
    const result = await bench.run(await bench.agent([{ sha256: 'sum' }, { ok: 'done' }], { prompt }));
    expect(result.ok).toBe(true);
    expect(await bench.read('sum')).toBe(createHash('sha256').update(prompt).digest('hex'));
  });

  it('O-03 a background process that holds the pipe is ended, and said', async () => {
    const result = await bench.run(
      await bench.agent([{ init: true }, { background: ['sleep', '300'] }, { say: 'before' }, { ok: 'done' }]),
    );
    expect(result).toMatchObject({ ok: true, output: 'done' });
    expect(result.detail).toMatch(/1 left-over process was ended/);
    expect(await bench.logOf(result)).toContain('before');
  });

  it('O-04 a cancel ends child and grandchild that ignore it, after the grace', async () => {
    const running = bench.start(await bench.agent([{ init: true }, { tree: 'pids4' }, { say: 'busy' }, { sleep: 600_000 }]));
    await until('three pids', () => pidsIn(bench.path('pids4')).length === 3 && running.details()?.spoke === true);
    const before = Date.now();
    running.cancel({ cancelRequested: true });
    const result = await running.result;
    expect(Date.now() - before).toBeGreaterThanOrEqual(LIMITS.graceMs - 100);
    expect(Date.now() - before).toBeLessThan(LIMITS.graceMs + 3_000);
    expect(result).toMatchObject({ ok: false, endedBy: 'cancel', stop: { how: 'killed' } });
    expect(result.detail).toContain('killed');
    expect(pidsIn(bench.path('pids4')).filter(isAlive)).toEqual([]);
    expect(running.reports.flatMap(({ facts }) => facts.map(({ kind }) => kind))).toContain('stopping');
  });

  it('O-05 killed by a signal after it spoke is a failure that names the signal', async () => {
    const result = await bench.run(await bench.agent([{ say: 'one line' }, { kill: 'SIGKILL' }]));
    expect(result).toMatchObject({ ok: false, outcome: 'task-failed', endedBy: 'signal' });
    expect(result.detail).toContain('SIGKILL');
  });

  it('O-05 killed by a signal before it spoke is asked again, up to the limit', async () => {
    const input = await bench.agent([{ kill: 'SIGKILL' }]);
    const first = bench.start(input);
    expect(await failureOf(first)).toMatchObject({ type: 'again', nextRetryDelay: 5_000 });
    const second = bench.start(input, { attempt: 2, heartbeatDetails: first.details() });
    expect(await failureOf(second)).toMatchObject({ type: 'again', nextRetryDelay: 10_000 });
    const third = await bench.run(input, { attempt: 3, heartbeatDetails: second.details() });
    expect(third).toMatchObject({ ok: false, reached: 'silence', outcome: 'no-agent-progress' });
    expect(third.attempts.map(({ reason }) => reason)).toEqual(['ended by SIGKILL', 'ended by SIGKILL', undefined]);
  });

  it('O-06 marks of an enclosing session do not reach the agent, what was asked for does', async () => {
    const input = await bench.agent([{ refuseIf: 'CLAUDECODE' }, { saveEnv: 'env6' }, { ok: 'done' }], {
      env: { pass: ['WANTED'], set: { OWN: 'literal' } },
    });
    expect(await bench.run(input)).toMatchObject({ ok: true });
    expect(JSON.parse(await bench.read('env6'))).toMatchObject({ WANTED: 'yes', OWN: 'literal', SLUICE_RUN: 'r', SLUICE_ATTEMPT: '1' });
  });
});

describe("the agent's output stream", () => {
  it('O-07 a result with an error flag and status 403 is a refused login, asked once', async () => {
    const result = await bench.run(await bench.agent([{ fail: { api_error_status: 403, result: 'no access' } }, { exit: 0 }]));
    expect(result).toMatchObject({ ok: false, outcome: 'refused-login' });
    expect(result.detail).toContain('403');
  });

  it('O-07 a good result outranks exit 1, which is noted', async () => {
    const result = await bench.run(await bench.agent([{ say: 'hm' }, { ok: 'ok' }, { exit: 1 }]));
    expect(result).toMatchObject({ ok: true, output: 'ok' });
    expect(result.detail).toContain('exit 1 after its result');
  });

  it('O-07 exit 0 without a result is silence', async () => {
    const running = bench.start(await bench.agent([{ stderr: 'API Error: 500' }, { exit: 0 }]));
    expect(await failureOf(running)).toMatchObject({ type: 'again', message: 'exit 0 without a word: API Error: 500' });
    expect(running.details()).toMatchObject({ phase: 'silence', silences: 1 });
  });

  it('O-08 an agent that does not end after its result is ended, and the result stands', async () => {
    const input = await bench.agent([{ tool: 'Bash' }, { write: { file: 'pid8', text: 'x' } }, { ok: 'done' }, { sleep: 3_600_000 }]);
    const before = Date.now();
    const result = await bench.run(input);
    expect(Date.now() - before).toBeLessThan(LIMITS.resultGraceMs + 3_000);
    expect(result).toMatchObject({ ok: true, output: 'done', endedBy: 'result', attempts: [{ attempt: 1 }] });
    expect(result.detail).toContain('ended 3 s after its result');
  });

  it('O-09 a line of 12 MB is read, its copy bounded, and what follows is not lost', async () => {
    const before = process.memoryUsage().rss;
    const result = await bench.run(await bench.agent([{ say: 'first' }, { big: 12_000_000 }, { say: 'second' }, { ok: 'done' }]));
    expect(result).toMatchObject({ ok: true, output: 'done' });
    const stream = await bench.logOf(result, '.ndjson');
    expect(stream.length).toBeLessThan(20_000);
    expect(stream).toContain('first');
    expect(stream).toContain('second');
    expect(stream).toContain('12000000 bytes in all');
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it('O-10 noise between the lines costs nothing, and a line in two parts is one event', async () => {
    const noise: Record<string, unknown>[] = [{ line: 'A new version is available!' }, { raw: '\u001b[33mwarning\u001b[0m\n\n' }];
    const split = [
      { raw: '{"type":"assi' },
      { sleep: 200 },
      { raw: 'stant","message":{"content":[{"type":"text","text":"in two parts"}]}}\n' },
    ];
    const rest = [{ raw: '[1,2]\nnull\n"text"\n{}\n' }, { raw: '{"type":"result","subtype":"success","is_error":false,"result":"fin"}' }];
    const result = await bench.run(await bench.agent([...noise, ...split, ...rest]));
    expect(result).toMatchObject({ ok: true, output: 'fin' });
    expect(await bench.logOf(result)).toContain('A new version is available!\nwarning\n');
    const events = (await bench.logOf(result, '.ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; text?: string });
    expect(events.filter(({ kind }) => kind === 'message').map(({ text }) => text)).toEqual(['in two parts']);
  });
});

describe('dispatches that are cut short', () => {
  it('O-42 a silent agent hears the cancel, and the heartbeat is no progress', async () => {
    const input = await bench.agent(
      [{ init: true }, { ignore: ['SIGINT'] }, { sleep: 600_000 }],
      {},
      { limits: { ...LIMITS, quietMs: 1_000 } },
    );
    const running = bench.start(input);
    await until('quiet is told', () => running.reports.some(({ facts }) => facts.some(({ kind }) => kind === 'quiet')));
    expect(running.beats()).toBeGreaterThan(3);
    running.cancel({ cancelRequested: true });
    expect(await running.result).toMatchObject({ endedBy: 'cancel', stop: { how: 'killed' } });
  });

  it('O-44 a last message of 5 MB is cut in the result and whole in an artifact', async () => {
    await bench.write('big.json', '');
    const text = 'ü'.repeat(2_500_000);
    const result = await bench.run(await bench.agent([{ say: 'hm' }, { ok: text }]));
    expect(result.ok).toBe(true);
    expect(Buffer.byteLength(result.output)).toBeLessThanOrEqual(16_384);
    expect(result.output).not.toContain('\ufffd');
    expect(result.detail).toContain('was cut');
    expect((await bench.read(`.sluice/runs/r/artifacts/${result.outputArtifact}`)).trimEnd()).toBe(text);
  });
});

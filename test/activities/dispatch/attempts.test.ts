// What a later attempt makes of an earlier one: dead workers, sessions continued, handovers, hosts (run.md, Dispatches; case O-40).

import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Activities, DispatchInput, DispatchProgress, DispatchResult } from '../../../activities/contract.js';
import { startProcesses } from '../../../activities/process/guard-client.js';
import { CONTINUE_PROMPT } from '../../../activities/dispatch/turn.js';
import { createActivities } from '../../../activities/index.js';
import { isAlive, pidsIn, until } from '../process/support.js';
import { Bench, failureOf, LIMITS, type Running } from './support.js';

let bench: Bench;
beforeAll(async () => void (bench = await Bench.open()));
afterAll(() => bench.close());

const SPOKEN = [{ readStdin: true }, { init: true }, { say: 'at it' }];

function progress(more: Partial<DispatchProgress>): DispatchProgress {
  const attempts = [{ attempt: 1, startedAt: '2026-01-01T00:00:00.000Z' }];
  return { attempt: 1, phase: 'running', silences: 0, failures: 0, deaths: 0, handovers: 0, host: 'here', spoke: false, attempts, ...more };
}

async function spoken(input: DispatchInput): Promise<Running> {
  const running = bench.start(input);
  await until('it has spoken', () => running.details()?.spoke === true && running.details()?.session !== undefined);
  return running;
}

describe('an attempt after a dead worker', () => {
  it('begins anew when the agent had said nothing', async () => {
    const input = await bench.agent([{ savePrompt: 'p1' }, { ok: 'done' }], { prompt: 'the task' });
    const result = await bench.run(input, { attempt: 2, heartbeatDetails: progress({}) });
    expect(result).toMatchObject({ ok: true, attempts: [{ attempt: 1, reason: 'its worker died' }, { attempt: 2 }] });
    expect(await bench.read('p1')).toBe('the task');
  });

  it('continues the session of an agent that had spoken, with a short prompt', async () => {
    const input = await bench.agent([{ savePrompt: 'p2' }, { init: true }, { ok: 'session {{session}}' }]);
    const result = await bench.run(input, { attempt: 2, heartbeatDetails: progress({ spoke: true, session: 's-1' }) });
    expect(result).toMatchObject({ ok: true, output: 'session s-1', session: { id: 's-1', host: 'here' } });
    expect(await bench.read('p2')).toBe(CONTINUE_PROMPT);
  });

  it('O-40 is interrupted when it had spoken and cannot be continued, and starts nothing', async () => {
    const input = await bench.agent([{ write: { file: 'started-40', text: 'x' } }, { ok: 'done' }]);
    const result = await bench.run(input, { attempt: 2, heartbeatDetails: progress({ spoke: true }) });
    expect(result).toMatchObject({ ok: false, reached: 'spoke', outcome: 'interrupted', endedBy: 'not-started' });
    await expect(bench.read('started-40')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('asks to be moved to the host that holds the session', async () => {
    const input = await bench.agent([{ ok: 'done' }]);
    const result = await bench.run(input, { attempt: 2, heartbeatDetails: progress({ spoke: true, session: 's-2', host: 'there' }) });
    expect(result).toMatchObject({ reached: 'elsewhere', ok: false, session: { id: 's-2', host: 'there' } });
  });

  it('gives up after too many deaths', async () => {
    const result = await bench.run(bench.program(['true']), { attempt: 12, heartbeatDetails: progress({ deaths: LIMITS.maxDeaths }) });
    expect(result).toMatchObject({ outcome: 'interrupted', detail: 'its worker died 11 times' });
  });

  it('knows from the local record what no heartbeat told', async () => {
    const input = await bench.agent([...SPOKEN, { savePrompt: 'p5' }, { waitFor: 'never' }]);
    const dying = await startProcesses({ stateDir: bench.deps.stateDir, guardPath: bench.guard.path, log: () => undefined });
    const other = createActivities({ ...bench.deps, processes: dying });
    const env = new MockActivityEnvironment();
    const lost = env.run<[DispatchInput], DispatchResult, Activities['dispatch']>(other.dispatch, input);
    lost.catch(() => undefined);
    await until('the record tells of speech', async () => (await bench.processes.record('r', input.id))?.spoke === true);
    // the guard of a worker that is gone ends its trees and leaves the record
    const record = await dying.record('r', input.id);
    process.kill(record?.owner.pid ?? 0, 'SIGKILL');
    await expect(lost).rejects.toMatchObject({ type: 'again', message: 'its guard died' });
    await bench.write('never', '');
    const result = await bench.run(input, { attempt: 2 });
    await dying.close();
    expect(result).toMatchObject({ session: { id: record?.session }, attempts: [{ attempt: 2 }] });
    expect(await bench.read('p5')).toBe(CONTINUE_PROMPT);
  });
});

describe('a session to continue', () => {
  it('of an earlier node gets the whole prompt', async () => {
    const input = await bench.agent(
      [{ savePrompt: 'p6' }, { init: true }, { ok: '{{session}}' }],
      { prompt: 'next task' },
      { session: { id: 's-6', host: 'here' } },
    );
    expect(await bench.run(input)).toMatchObject({ ok: true, output: 's-6' });
    expect(await bench.read('p6')).toBe('next task');
  });

  it('on another host is followed there once, and no further', async () => {
    const input = await bench.agent([{ ok: 'done' }], {}, { session: { id: 's-7', host: 'there' } });
    expect(await bench.run(input)).toMatchObject({ reached: 'elsewhere', session: { id: 's-7', host: 'there' } });
    expect(await bench.run({ ...input, continued: true })).toMatchObject({ outcome: 'interrupted' });
  });

  it('counts only its own part of a thread, and pays for every attempt', async () => {
    const before = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 10, reasoningTokens: 0, turns: 1 };
    const usage = (output: number) => ({
      kind: 'usage',
      cumulative: 'thread',
      usage: { inputTokens: 100, outputTokens: output, turns: 1 },
    });
    const argv = ['sh', '-c', `cat >/dev/null; printf '%s\\n' '${JSON.stringify(usage(30))}' '{"kind":"result","ok":true}' # {session}`];
    bench.config = {
      ...bench.config,
      agents: { ...bench.config.agents, own: { adapter: 'command', argv, prompt: 'stdin', output: 'ndjson' } },
    };
    const input = await bench.agent([], { adapter: 'own', args: [] }, { session: { id: 's-8', host: 'here' }, sessionUsage: before });
    const spent = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 5, reasoningTokens: 0, turns: 1 };
    const result = await bench.run(input, { attempt: 2, heartbeatDetails: progress({ phase: 'silence', silences: 1, usage: spent }) });
    expect(result.usage).toMatchObject({ inputTokens: 0, outputTokens: 25, turns: 2 });
    expect(result.sessionUsage).toMatchObject({ inputTokens: 100, outputTokens: 30 });
  });
});

describe('a worker that shuts down', () => {
  it('hands the turn over: asked to stop, no attempt spent, continued by session', async () => {
    const input = await bench.agent([...SPOKEN, { waitFor: 'never-9' }]);
    const running = await spoken(input);
    running.cancel({ workerShutdown: true });
    expect(await failureOf(running)).toMatchObject({ type: 'handover', message: 'its worker shut down' });
    expect(running.details()).toMatchObject({ phase: 'handover', handovers: 1, silences: 0, deaths: 0, spoke: true });
    expect(running.reports.flatMap(({ facts }) => facts.map(({ kind }) => kind))).not.toContain('stopping');
    await bench.write('never-9', '');
    const result = await bench.run(input, { attempt: 2, heartbeatDetails: running.details() });
    expect(result).toMatchObject({
      session: { id: running.details()?.session },
      attempts: [{ reason: 'its worker shut down' }, { attempt: 2 }],
    });
  });

  it('settles as interrupted what has spoken without a session', async () => {
    const argv = ['sh', '-c', 'echo word; sleep 60'];
    bench.config = { ...bench.config, agents: { ...bench.config.agents, plain: { adapter: 'command', argv } } };
    const running = bench.start(await bench.agent([], { adapter: 'plain', args: [] }));
    await until('it has spoken', () => running.details()?.spoke === true);
    running.cancel({ workerShutdown: true });
    expect(await running.result).toMatchObject({ ok: false, outcome: 'interrupted', output: 'word' });
  });

  it('keeps a result that the turn gave while it was asked to stop', async () => {
    const obeys = { on: { signal: 'SIGINT', steps: [{ ok: 'made it' }, { exit: 0 }] } };
    const running = await spoken(await bench.agent([obeys, ...SPOKEN, { sleep: 600_000 }]));
    running.cancel({ workerShutdown: true });
    expect(await running.result).toMatchObject({ ok: true, output: 'made it' });
  });

  it.each(['paused', 'reset'] as const)('treats an activity that was %s the same, and says so', async (flag) => {
    const running = await spoken(await bench.agent([...SPOKEN, { sleep: 600_000 }]));
    running.cancel({ [flag]: true });
    expect(await failureOf(running)).toMatchObject({ type: 'handover', message: `the activity was ${flag}` });
  });
});

describe('nobody waits any more', () => {
  it.each(['timedOut', 'notFound'] as const)('kills within 5 s and tells nobody when %s', async (flag) => {
    const file = `pids-${flag}`;
    const running = bench.start(await bench.agent([{ tree: file }, { say: 'busy' }, { sleep: 600_000 }]));
    await until('three pids', () => pidsIn(bench.path(file)).length === 3 && running.details()?.spoke === true);
    const before = Date.now();
    running.cancel({ [flag]: true });
    expect((await failureOf(running)).name).toBe('CancelledFailure');
    expect(Date.now() - before).toBeLessThan(5_000);
    expect(pidsIn(bench.path(file)).filter(isAlive)).toEqual([]);
    expect(running.reports.flatMap(({ facts }) => facts.map(({ kind }) => kind))).not.toContain('stopping');
  });

  it('a report that finds no run ends the dispatch', async () => {
    const gone = Object.assign(new Error('workflow not found'), { name: 'WorkflowNotFoundError' });
    const client = {
      withAbortSignal: (_s: unknown, f: () => unknown) => f(),
      workflow: { getHandle: () => ({ signal: () => Promise.reject(gone) }) },
    };
    const running = bench.start(await bench.agent([...SPOKEN, { sleep: 600_000 }]), {}, client as never);
    expect(await failureOf(running)).toMatchObject({ type: 'forgotten' });
  });

  it('an attempt that is in the way of a later one is ended first', async () => {
    const input = await bench.agent([
      { write: { file: 'pids-two', text: '{{call}}\n', append: true } },
      { ignore: ['SIGINT'] },
      { say: 'x' },
      { waitFor: 'go-two' },
      { ok: 'done' },
    ]);
    const former = bench.start(input);
    await until('the first runs', () => former.details()?.spoke === true);
    const later = bench.start(input, { attempt: 2, heartbeatDetails: progress({}) });
    expect(await failureOf(former)).toMatchObject({ type: 'forgotten' });
    await bench.write('go-two', '');
    expect(await later.result).toMatchObject({ ok: true, output: 'done' });
  });
});

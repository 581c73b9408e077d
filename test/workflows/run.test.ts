// The workflow `run` on a real server with stand-in activities: waits, carries out, continues as new, ends.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import type { ResultV3 } from '../../model/run/result.js';
import type { StatusView } from '../../model/run/views.js';
import { human, program } from '../support/builders.js';
import { until } from '../support/until.js';
import { openServer, type TestServer } from '../support/workflow-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(async () => {
  await server.close();
});

describe('the workflow run', () => {
  it('runs a graph to its end and returns the result', async () => {
    const handle = await server.start([program('a'), program('b', ['a']), program('c', ['a']), program('d', ['b', 'c'])]);
    const result = (await handle.result()) as ResultV3;
    expect(result).toMatchObject({ schema_version: 3, state: 'complete', ok: true });
    expect(server.calls(handle.workflowId).sort()).toEqual(['a#1', 'b#1', 'c#1', 'd#1']);
  });

  it('goes on after an attestation by a plain signal, as the Temporal CLI sends it', async () => {
    const handle = await server.start([human('ok'), program('b', ['ok'])]);
    await until(async () => (await handle.query<StatusView>('status')).state === 'waiting');
    await handle.signal('attest', { node: 'ok' });
    expect(await handle.result()).toMatchObject({ state: 'complete' });
  });

  it('answers unreadable and refused signals, and never fails a workflow task over them', async () => {
    const handle = await server.start([human('ok')]);
    await handle.signal('attest', 'what?');
    await handle.signal('command', { id: 'x1', author: 'planner', commands: [{ command: 'attest', node: 'ok' }] });
    const answer = await until(() => handle.query('answer', 'x1'));
    expect(answer).toEqual({ id: 'x1', applied: false, applied_count: 0, reason: 'planner may not attest' });
    const { events } = await handle.query<{ events: { kind: string }[] }, unknown[]>('events', { after: 0, limit: 100 });
    expect(events.filter((event) => event.kind === 'edit-rejected')).toHaveLength(2);
    await handle.signal('attest', { node: 'ok' });
    await handle.result();
    const history = await handle.fetchHistory();
    expect(history.events?.some((event) => event.workflowTaskFailedEventAttributes)).toBe(false);
  });

  it('ends as Cancelled when it is cancelled by a signal or in Temporal itself, and still answers its result', async () => {
    for (const how of ['signal', 'temporal'] as const) {
      const handle = await server.start([program('slow'), program('after', ['slow'])]);
      await until(() => server.calls(handle.workflowId).includes('slow#1'));
      if (how === 'signal') await handle.signal('cancel', {});
      else await handle.cancel();
      await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
      expect((await handle.describe()).status.name).toBe('CANCELLED');
      expect(await handle.query('result')).toMatchObject({ state: 'failed', nodes: [{ status: 'cancelled' }, { status: 'cancelled' }] });
    }
  });

  it('continues as new under a low bound without losing, doubling or renumbering anything', async () => {
    const nodes = Array.from({ length: 40 }, (_, i) => program(`n${i}`, i === 0 ? [] : [`n${i - 1}`]));
    const handle = await server.start(nodes, { settings: { rollAtEvents: 40 } });
    expect(await handle.result()).toMatchObject({ state: 'complete' });
    expect(server.calls(handle.workflowId)).toEqual(nodes.map((node) => `${node.id}#1`));
    expect((await handle.describe()).historyLength).toBeLessThan(120);
    const { last } = await handle.query<{ last: number }, unknown[]>('events', { after: 0, limit: 1 });
    expect(last).toBe(2 + 40 * 4);
  });

  it('falls to onDeadline by its one alarm, with nobody near', async () => {
    const nodes = [human('ok', [], { deadlineMs: 700, onDeadline: 'go', choices: [{ name: 'go' }] }), program('b', ['ok'])];
    const handle = await server.start([...nodes, human('late', ['b'], { deadlineMs: 300 })]);
    expect(await handle.result()).toMatchObject({
      state: 'failed',
      nodes: [{ outcome: 'go' }, { status: 'done' }, { outcome: 'deadline' }],
    });
  });

  it('starts a wide graph at a bounded pace, all of it', async () => {
    const nodes = Array.from({ length: 350 }, (_, i) => program(`n${i}`));
    const handle = await server.start(nodes, { concurrency: 350 });
    expect(await handle.result()).toMatchObject({ state: 'complete' });
    expect(new Set(server.calls(handle.workflowId)).size).toBe(350);
  });
});

// A worker with stand-in activities on the shared test server, for tests of the workflow alone.

import { randomUUID } from 'node:crypto';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { CancelledFailure, Context, activityInfo } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { DispatchInput, DispatchResult, JournalInput, Written } from '../../activities/contract.js';
import type { NodeSpec } from '../../model/plan/compiled.js';
import { runWorkflowId } from '../../model/ids.js';
import { result, runInput } from './builders.js';
import { quietRuntime } from './quiet-runtime.js';

export interface TestServer {
  start(nodes: NodeSpec[], more?: Parameters<typeof runInput>[1]): Promise<WorkflowHandle>;
  /** dispatch ids in the order they began */
  calls(workflowId: string): string[];
  close(): Promise<void>;
}

/**
 * One task queue of its own serves every queue name of the fleet that these tests use.
 * @param address default: the shared dev server
 */
export async function openServer(address = process.env.SLUICE_TEST_ADDRESS ?? '127.0.0.1:7233'): Promise<TestServer> {
  quietRuntime();
  const fleet = `f${randomUUID().slice(0, 8)}`;
  const begun = new Map<string, string[]>();
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  const activities = { dispatch: (input: DispatchInput) => dispatch(begun, input), appendJournal };
  const workers = await Promise.all([
    Worker.create({ connection: native, taskQueue: fleet, workflowBundle: { codePath: bundlePath() }, activities: { requestCancel } }),
    Worker.create({ connection: native, taskQueue: `${fleet}/programs`, activities, maxHeartbeatThrottleInterval: '1s' }),
  ]);
  const done = Promise.all(workers.map((worker) => worker.run()));
  const client = new Client({ connection });
  return {
    start: (nodes, more) => start(client, fleet, nodes, more),
    calls: (workflowId) => begun.get(workflowId) ?? [],
    close: async () => {
      for (const worker of workers) worker.shutdown();
      await done;
      await native.close();
      await connection.close();
    },
  };
}

function bundlePath(): string {
  const path = process.env.SLUICE_TEST_BUNDLE;
  if (path === undefined) throw new Error('SLUICE_TEST_BUNDLE is not set: run by `npm run test:server`');
  return path;
}

async function start(client: Client, fleet: string, nodes: NodeSpec[], more: Parameters<typeof runInput>[1]): Promise<WorkflowHandle> {
  const run = `t-${randomUUID().slice(0, 8)}`;
  return client.workflow.start('run', {
    taskQueue: fleet,
    workflowId: runWorkflowId(run),
    args: [runInput(nodes, { ...more, run, fleet })],
  });
}

// a node named slow runs until it is cancelled; all others succeed at once
async function dispatch(begun: Map<string, string[]>, input: DispatchInput): Promise<DispatchResult> {
  const { workflowExecution } = activityInfo();
  const workflowId = workflowExecution?.workflowId ?? '';
  begun.set(workflowId, [...(begun.get(workflowId) ?? []), input.id]);
  if (input.node !== 'slow') return result();
  return untilCancelled(Context.current());
}

async function untilCancelled(context: Context): Promise<DispatchResult> {
  const beat = setInterval(() => context.heartbeat(), 200);
  try {
    await context.cancelled;
    throw new Error('unreachable: cancelled only rejects');
  } catch (error) {
    if (!(error instanceof CancelledFailure)) throw error;
    return result({ ok: false, endedBy: 'cancel', stop: { how: 'stopped' } });
  } finally {
    clearInterval(beat);
  }
}

async function appendJournal(input: JournalInput): Promise<Written> {
  return { written: true, seq: input.events.at(-1)?.seq ?? 0 };
}

async function requestCancel({ run }: { run: string }): Promise<void> {
  await Context.current().client.workflow.getHandle(runWorkflowId(run)).cancel();
}

// Dispatches as activities: started at a bounded pace, cancelled one by one, their answers put into the inbox.

import { ActivityCancellationType, CancellationScope, scheduleActivity, sleep, workflowInfo } from '@temporalio/workflow';
import type { DispatchResult } from '../activities/contract.js';
import type { DispatchInput } from '../model/run/dispatch.js';
import type { Effect } from '../model/run/inputs.js';
import { lossOf } from './losses.js';
import type { Inbox } from './inbox.js';

type Order = Extract<Effect, { kind: 'dispatch' }>;

/** More than 4 MB of commands in one answer ends a run (run.md, Size). */
const MAX_PER_TASK = 100;
const MAX_BYTES_PER_TASK = 1_048_576;
/** the rest follows in the next workflow task */
const NEXT_TASK_MS = 1;

export interface Dispatches {
  start(order: Order): void;
  cancel(dispatch: string): void;
  idle(): boolean;
}

export function openDispatches(inbox: Inbox): Dispatches {
  const scopes = new Map<string, CancellationScope>();
  const line: Order[] = [];
  const pace = openPace();
  let draining = false;

  const schedule = (order: Order): void => {
    const scope = scopes.get(order.order.id);
    if (scope) void inform(inbox, scopes, order, scope);
  };
  const drain = async (): Promise<void> => {
    draining = true;
    while (line.length > 0) {
      await sleep(NEXT_TASK_MS);
      while (line[0] && pace.take(line[0].order)) schedule(line.shift() as Order);
    }
    draining = false;
  };

  return {
    start(order) {
      scopes.set(order.order.id, new CancellationScope({ cancellable: true }));
      if (!draining && pace.take(order.order)) return schedule(order);
      line.push(order);
      if (!draining) void drain();
    },
    cancel: (dispatch) => scopes.get(dispatch)?.cancel(),
    idle: () => scopes.size === 0,
  };
}

async function inform(inbox: Inbox, scopes: Map<string, CancellationScope>, order: Order, scope: CancellationScope): Promise<void> {
  const { id } = order.order;
  try {
    const result = await scope.run(() => activity(order));
    scopes.delete(id);
    inbox.put({ kind: 'result', dispatch: id, result });
  } catch (error) {
    scopes.delete(id);
    inbox.put({ kind: 'lost', dispatch: id, loss: lossOf(error) });
  }
}

// what is asked again is decided inside, by counters in the heartbeat details; Temporal's part is to try without end (run.md, Dispatches)
function activity({ order, queue, startToCloseMs, scheduleToStartMs, heartbeatTimeoutMs }: Order): Promise<DispatchResult> {
  return scheduleActivity<DispatchResult>('dispatch', [order], {
    activityId: order.id,
    taskQueue: queue,
    startToCloseTimeout: startToCloseMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    ...(scheduleToStartMs === undefined ? {} : { scheduleToStartTimeout: scheduleToStartMs }),
    retry: { initialInterval: 1_000, backoffCoefficient: 1 },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
}

interface Pace {
  /** true when one more may be started in this workflow task */
  take(order: DispatchInput): boolean;
}

function openPace(): Pace {
  let task = -1;
  let count = 0;
  let bytes = 0;
  return {
    take(order) {
      const { historyLength } = workflowInfo();
      if (historyLength !== task) [task, count, bytes] = [historyLength, 0, 0];
      const size = roughSize(order);
      if (count > 0 && (count >= MAX_PER_TASK || bytes + size > MAX_BYTES_PER_TASK)) return false;
      count += 1;
      bytes += size;
      return true;
    },
  };
}

// texts are what makes an order large; above 32 KiB each travels as a reference
function roughSize({ work, values }: DispatchInput): number {
  const text = work.kind === 'agent' ? work.prompt.length : (work.script?.length ?? 0);
  const needs = Object.values(values.needs).reduce((sum, need) => sum + (need.output?.length ?? 0), 0);
  return 600 + text + needs;
}

// One timer for the earliest deadline of the run.

import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Inbox } from './inbox.js';

export interface Alarm {
  /** ms since the epoch; undefined: none is needed */
  set(at: number | undefined): void;
}

export function openAlarm(inbox: Inbox): Alarm {
  let scope: CancellationScope | undefined;
  return {
    set(at) {
      scope?.cancel();
      scope = undefined;
      if (at === undefined) return;
      scope = new CancellationScope({ cancellable: true });
      void scope.run(() => ring(inbox, at));
    },
  };
}

async function ring(inbox: Inbox, at: number): Promise<void> {
  try {
    await sleep(Math.max(1, at - Date.now()));
    inbox.put({ kind: 'alarm' });
  } catch (error) {
    // another time was set
    if (!isCancellation(error)) throw error;
  }
}

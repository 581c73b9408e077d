// What the live view shows at one moment, asked of the run again and again. Knows no terminal.

import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeView, StatusView } from '../../model/run/views.js';
import type { Door } from '../../client/connect.js';
import { describeRun, type RunSummary } from '../../client/list.js';
import { patiently } from '../../client/patience.js';
import { readShownNodes, readStatus } from '../../client/read.js';

export interface Snapshot {
  status: StatusView;
  /** all nodes of a small plan, else those that are neither done nor pending */
  nodes: readonly NodeView[];
  /** why what is shown may be old */
  stale?: string;
}

/** Quick enough to look alive; each look is two queries, billed where they cost. */
const LOOK_LOCAL_MS = 400;
const LOOK_REMOTE_MS = 2_000;

/** Calls `show` with each new picture until the run is over or `signal` is aborted. */
export async function watchSnapshots(door: Door, run: RunSummary, signal: AbortSignal, show: (snapshot: Snapshot) => void): Promise<void> {
  let last: Snapshot | undefined;
  const note = (stale: string): void => (last === undefined ? undefined : show({ ...last, stale }));
  while (!signal.aborted) {
    const status = await patiently(() => readStatus(door, run.run_id), { signal, note });
    if (status.ok) {
      last = { status: status.value, nodes: await readShownNodes(door, status.value) };
      show(last);
      if (status.value.ended_at !== undefined) return;
    } else {
      if (last !== undefined) show({ ...last, stale: status.refusal.message });
      if ((await describeRun(door, run.run_id))?.open !== true) return;
    }
    // when aborted, the loop's condition ends it
    await sleep(door.local ? LOOK_LOCAL_MS : LOOK_REMOTE_MS, undefined, { signal }).catch(() => undefined);
  }
}

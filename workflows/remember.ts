// What the server keeps of a run for lists: its memo, and the search attributes where the namespace knows them.

import { upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import type { Memo } from '../model/run/inputs.js';
import type { RunState } from '../model/run/state.js';

const STATE = { name: 'SluiceState', type: 'KEYWORD' } as const;
const WAITING = { name: 'SluiceWaiting', type: 'INT' } as const;
const PLAN = { name: 'SluicePlan', type: 'KEYWORD' } as const;

/** Upserts both. An attribute that the namespace does not know would wedge the run: hence the flag, which the client probed. */
export function remember({ input, decisions }: RunState, memo: Memo): void {
  upsertMemo({ ...memo });
  if (!input.searchAttributes) return;
  upsertSearchAttributes([
    { key: STATE, value: memo.state },
    { key: WAITING, value: decisions.length },
    { key: PLAN, value: input.plan.name },
  ]);
}

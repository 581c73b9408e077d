// One alarm serves the earliest deadline of the whole run (architecture.md). Deadlines are absolute times.

import { nodeAt, type Draft } from './draft.js';
import { lateAt } from './journal.js';

/** Asks for the timer that the state needs now, if it is another than the one that runs. */
export function setAlarm(draft: Draft): void {
  const { state } = draft;
  const at = state.phase === 'over' ? undefined : earliest(draft);
  if (at === state.alarm) return;
  if (at === undefined) delete state.alarm;
  else state.alarm = at;
  draft.effects.push({ kind: 'alarm', id: `alarm/${at ?? 'off'}`, at });
}

function earliest(draft: Draft): number | undefined {
  const { state } = draft;
  let found = least(least(state.journal.retryAt, lateAt(state)), state.graceAt);
  for (const i of state.waiting) found = least(found, nodeAt(draft, i).deadline);
  return found;
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

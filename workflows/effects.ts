// Carries out effects: each becomes an activity, a timer or a memo, and its answer an input. Knows Temporal, not graphs.

import type { Effect } from '../model/run/inputs.js';
import type { RunState } from '../model/run/state.js';
import { openAlarm } from './alarm.js';
import { openDispatches } from './dispatches.js';
import { describe, subscribe, tell } from './others.js';
import { appendJournal, askHandover, killDispatch, writeEnd } from './bookkeeping.js';
import { deliverNote, verify } from './asking.js';
import type { Inbox } from './inbox.js';
import { remember } from './remember.js';

export type Carried = Exclude<Effect, { kind: 'end' } | { kind: 'continue-as-new' }>;

export interface Effects {
  carryOut(effect: Carried): void;
  /** nothing that would be lost by continuing as new is under way */
  idle(): boolean;
}

/** @param state the run's present state, for what is written at its end */
export function openEffects(inbox: Inbox, state: () => RunState): Effects {
  const dispatches = openDispatches(inbox);
  const alarm = openAlarm(inbox);
  let pending = 0;
  const track = (work: Promise<void>): void => {
    pending += 1;
    // failures become inputs inside; one that does not is a defect and fails the workflow task with its own words
    void work.finally(() => (pending -= 1));
  };
  const carryOut = (effect: Carried): void => {
    switch (effect.kind) {
      case 'dispatch':
        return dispatches.start(effect);
      case 'cancel':
        return dispatches.cancel(effect.dispatch);
      case 'kill':
        return track(killDispatch(state(), effect));
      case 'journal':
        return track(appendJournal(state(), effect).then((answer) => inbox.put({ kind: 'journal', answer })));
      case 'write-end':
        return track(writeEnd(state(), effect).then((answer) => inbox.put({ kind: 'end-written', answer })));
      case 'deliver-note':
        return track(deliverNote(state(), effect).then((answer) => inbox.put({ kind: 'delivered', key: effect.key, answer })));
      case 'verify':
        return track(verify(state(), effect).then((answer) => inbox.put({ kind: 'verified', key: effect.key, answer })));
      case 'ask-handover':
        return track(askHandover(state(), effect));
      case 'subscribe':
        return track(
          subscribe(state(), effect).then((answer) => inbox.put({ kind: 'subscribed', run: effect.run, node: effect.node, answer })),
        );
      case 'tell':
        return track(tell(effect));
      case 'describe':
        return track(describe(state(), effect).then((described) => inbox.put({ kind: 'described', described })));
      case 'memo':
        return remember(state(), effect.memo);
      case 'alarm':
        return alarm.set(effect.at);
      default:
        return effect satisfies never;
    }
  };
  return { carryOut, idle: () => pending === 0 && dispatches.idle() };
}

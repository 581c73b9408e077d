// What can happen to a run (inputs) and what it can ask for (effects). Closed unions; every effect has a stable id.

import type { Envelope } from '../event.js';
import type { CommandEnvelope, Report } from '../messages.js';
import type { DispatchInput, DispatchResult } from './dispatch.js';
import type { ResultV3 } from './result.js';
import type { RunState, Zone } from './state.js';

/** An activity that did not answer with a result. */
export interface Loss {
  kind: 'cancelled' | 'timeout' | 'failure';
  /** for timeouts: nobody took it up in time */
  unstarted?: boolean;
  message: string;
}

export type WriteAnswer = { written: true; seq: number } | { written: false; code: string; message: string } | { away: true };

export type Input =
  | { kind: 'start' }
  | { kind: 'result'; dispatch: string; result: DispatchResult }
  | { kind: 'lost'; dispatch: string; loss: Loss }
  | { kind: 'report'; report: Report }
  | { kind: 'envelope'; envelope: CommandEnvelope }
  /** a signal that could not be read */
  | { kind: 'unreadable'; name: string; reason: string }
  /** the root was cancelled, in Temporal's UI or CLI */
  | { kind: 'cancel-requested' }
  | { kind: 'alarm' }
  | { kind: 'journal'; answer: WriteAnswer }
  | { kind: 'end-written'; answer: WriteAnswer }
  | { kind: 'zone'; zone: Zone };

export interface Memo {
  state: string;
  counts: Record<string, number>;
  waiting: { reference: string; action: string; choices?: string[]; since: string }[];
}

export type Effect =
  | {
      kind: 'dispatch';
      id: string;
      queue: string;
      order: DispatchInput;
      startToCloseMs: number;
      scheduleToStartMs?: number;
      heartbeatTimeoutMs: number;
    }
  | { kind: 'cancel'; id: string; dispatch: string }
  | { kind: 'kill'; id: string; dispatch: string; host: string }
  /** `patienceMs`: how long home has to take it up before it counts as away */
  | { kind: 'journal'; id: string; events: Envelope[]; patienceMs: number }
  | { kind: 'write-end'; id: string; result: ResultV3; patienceMs: number }
  | { kind: 'memo'; id: string; memo: Memo }
  /** the one timer; undefined: none is needed */
  | { kind: 'alarm'; id: string; at: number | undefined }
  | { kind: 'continue-as-new'; id: string }
  | { kind: 'end'; id: string; cancelled: boolean; result: ResultV3 };

export interface Decision {
  state: RunState;
  effects: Effect[];
  /** what became known, in order; they are in `state.recent` too */
  events: Envelope[];
}

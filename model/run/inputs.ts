// What can happen to a run (inputs) and what it can ask for (effects). Closed unions; every effect has a stable id.

import type { Envelope } from '../event.js';
import type { CommandEnvelope, Report, Subscribe, Upstream } from '../messages.js';
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

/** What came of carrying a note into a running turn. `tried` false: nothing was attempted, it may ride the next dispatch. */
export type DeliveryAnswer = { delivered: true } | { delivered: false; tried: boolean; reason: string };
export type VerifyAnswer = { valid: true } | { valid: false; reason: string };
/** `subscribed`: it runs and will tell. `settled`: it is closed, or the node has settled already. */
export type SubscribeAnswer =
  { state: 'subscribed' } | { state: 'settled'; upstream: Upstream } | { state: 'open' } | { state: 'absent'; reason: string };

/** What became of another workflow. `open`: it runs. */
export interface Described {
  workflow: string;
  state: 'open' | 'closed' | 'absent';
  /** closed: completed, failed, cancelled, terminated, timed-out */
  close?: string;
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
  | { kind: 'zone'; zone: Zone }
  /** `key` names the suspended command that waited for it */
  | { kind: 'delivered'; key: string; answer: DeliveryAnswer }
  | { kind: 'verified'; key: string; answer: VerifyAnswer }
  | { kind: 'subscribe'; subscribe: Subscribe }
  | { kind: 'upstream'; upstream: Upstream }
  | { kind: 'subscribed'; run: string; node: string; answer: SubscribeAnswer }
  | { kind: 'described'; described: Described[] };

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
  /** `events`: the last words of the run, which go into the journal first */
  | { kind: 'write-end'; id: string; events: readonly Envelope[]; result: ResultV3; patienceMs: number }
  | { kind: 'memo'; id: string; memo: Memo }
  /** the one timer; undefined: none is needed */
  | { kind: 'alarm'; id: string; at: number | undefined }
  /** into the turn that runs on `host`; the answer is the input `delivered` */
  | { kind: 'deliver-note'; id: string; key: string; dispatch: string; host: string; note: { id: string; text: string } }
  /** at home; the answer is the input `verified` */
  | { kind: 'verify'; id: string; key: string; by: string; message: string; signature: string }
  /** asks a dispatch to return `handover` with its session, so that the next execution goes on with it (run.md, Size) */
  | { kind: 'ask-handover'; id: string; dispatch: string; host: string }
  /** asks another run to tell; the answer is the input `subscribed` */
  | { kind: 'subscribe'; id: string; run: string; node: string }
  /** tells another run how a node of this one settled; one that is gone needs no word */
  | { kind: 'tell'; id: string; run: string; upstream: Upstream }
  /** the answer is the input `described` */
  | { kind: 'describe'; id: string; workflows: string[] }
  | { kind: 'continue-as-new'; id: string }
  | { kind: 'end'; id: string; cancelled: boolean; result: ResultV3 };

export interface Decision {
  state: RunState;
  effects: Effect[];
  /** what became known, in order; they are in `state.recent` too */
  events: Envelope[];
}

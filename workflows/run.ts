// The workflow `run`: waits for inputs, gives each to `decide`, carries out what comes back. It knows nothing of graphs.

import {
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { decide, newRun } from '../model/run/decide.js';
import { heldBecause } from '../model/run/admission.js';
import { mayRoll } from '../model/run/ending.js';
import type { RunInput } from '../model/run/input.js';
import type { Effect, Input } from '../model/run/inputs.js';
import { resultOf } from '../model/run/result-of.js';
import type { ResultV3 } from '../model/run/result.js';
import type { RunState } from '../model/run/state.js';
import { eventsView, nodesView, statusView, surfacesView } from '../model/run/view.js';
import { isFurther, zoneOf } from '../model/run/zone.js';
import { RULES } from '../model/rules.js';
import { requestCancel } from './bookkeeping.js';
import { openEffects, type Effects } from './effects.js';
import { openInbox, type Inbox } from './inbox.js';
import { answerQuery, eventsQuery, nodesQuery, resultQuery, statusQuery, surfacesQuery } from './messages.js';

/** A new run, or the state of one that continues as new. */
export type RunArgument = RunInput | { carried: RunState };

type Ending = Extract<Effect, { kind: 'end' }>;

/**
 * One execution of a plan. Returns the result document; a cancelled run ends as Cancelled and answers it to the query `result`.
 */
export async function run(argument: RunArgument): Promise<ResultV3> {
  const state = 'carried' in argument ? argument.carried : newRun(argument, Date.now());
  // an older worker fails this task, with these words in `sluice status`, until a newer one takes it
  if (state.rules > RULES) throw new Error(`the run has rules ${state.rules}, this worker knows ${RULES}: update the worker`);
  const loop = new Loop(state);
  loop.answerQueries();
  // the root cancellation is one more input: the run itself decides what is cancelled, and settles it
  const root = CancellationScope.current();
  root.cancelRequested.catch(() => loop.inbox.put({ kind: 'cancel-requested' }));
  return CancellationScope.nonCancellable(() => loop.run(root));
}

class Loop {
  readonly inbox: Inbox = openInbox(workflowInfo().runId.slice(0, 8));
  readonly #effects: Effects = openEffects(this.inbox, () => this.#state);
  #state: RunState;
  #ending: Ending | undefined;
  #roll = false;

  constructor(state: RunState) {
    this.#state = state;
  }

  answerQueries(): void {
    setHandler(statusQuery, () => statusView(this.#state));
    setHandler(nodesQuery, ({ after, limit }) => nodesView(this.#state, after, limit));
    setHandler(eventsQuery, ({ after, limit }) => eventsView(this.#state, after, limit));
    setHandler(surfacesQuery, () => surfacesView(this.#state));
    setHandler(answerQuery, (id) => this.#state.answers.find((answer) => answer.id === id) ?? null);
    setHandler(resultQuery, () => resultOf(this.#state));
  }

  async run(root: CancellationScope): Promise<ResultV3> {
    this.#apply({ kind: 'start' });
    for (;;) {
      this.#drain();
      if (this.#ending) return end(this.#ending, this.#state.input, root);
      if (this.#mayRoll()) await this.#continueAsNew();
      await this.inbox.wait();
    }
  }

  // inputs that came while deciding are decided before anything is waited for
  #drain(): void {
    for (;;) {
      const input = this.inbox.take() ?? this.#zoneInput();
      if (input === undefined || this.#ending) break;
      this.#apply(input);
    }
    const { nodes, settled } = this.#state;
    setCurrentDetails(heldBecause(this.#state) ?? `${settled} of ${nodes.length} nodes settled`);
  }

  #zoneInput(): Input | undefined {
    const { historyLength: events, historySize: bytes } = workflowInfo();
    const zone = zoneOf({ events, bytes, signals: this.inbox.signals() }, this.#state.input.settings);
    return isFurther(zone, this.#state.zone) ? { kind: 'zone', zone } : undefined;
  }

  #apply(input: Input): void {
    const { state, effects } = decide(this.#state, input, Date.now());
    this.#state = state;
    for (const effect of effects) {
      if (effect.kind === 'end') this.#ending = effect;
      else if (effect.kind === 'continue-as-new') this.#roll = true;
      else this.#effects.carryOut(effect);
    }
  }

  // asked for by decide at a moment without anything in flight; an input after that may have changed it
  #mayRoll(): boolean {
    const { inFlight, journal, phase } = this.#state;
    return this.#roll && inFlight === 0 && journal.inFlight === undefined && mayRoll(phase) && this.#effects.idle();
  }

  async #continueAsNew(): Promise<never> {
    await condition(allHandlersFinished);
    return continueAsNew<typeof run>({ carried: { ...this.#state, rules: RULES } });
  }
}

// Temporal takes a run for cancelled only if it was asked to cancel it; a run cancelled by a signal asks for that itself
async function end({ cancelled, result }: Ending, input: RunInput, root: CancellationScope): Promise<ResultV3> {
  if (!cancelled) return result;
  if (!root.consideredCancelled) {
    await requestCancel(input);
    await condition(() => root.consideredCancelled, '10s');
  }
  throw new CancelledFailure('the run was cancelled; every node has settled');
}

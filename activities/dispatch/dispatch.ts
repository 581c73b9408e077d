// The activity `dispatch`: one agent turn or one program, one outcome (agents.md, One activity).
// It never decides what the outcome means for the graph.

import { Context } from '@temporalio/activity';
import { statePaths } from '../../model/paths.js';
import type { DispatchInput, DispatchResult } from '../contract.js';
import type { ActivityDeps } from '../deps.js';
import { codeOf, messageOf } from '../failures.js';
import { roadOf, type Cancelled } from './cancellation.js';
import { conclude } from './conclude.js';
import type { Ended } from './ended.js';
import { GONE_MS, Live, now } from './live.js';
import { openDispatch, type Opened } from './opening.js';
import { runProgram } from './program.js';
import type { Registry } from './registry.js';
import { openScratch } from './scratch.js';
import { Stopping } from './stopping.js';
import { runTurn } from './turn.js';

type Started = Extract<Opened, { kind: 'go' }>;

/** Makes the activity. `registry` is shared with `killDispatch`. */
export function dispatcher(deps: ActivityDeps, registry: Registry): (input: DispatchInput) => Promise<DispatchResult> {
  let scratch: string | undefined;
  return async (input) => {
    // taken before the first await: asking for it later, in a listener, throws and can take the worker down
    const attempt = new Attempt(deps, Context.current(), input, () => (scratch ??= openScratch(statePaths(deps.stateDir).scratch)));
    const leave = await registry.enter(input.run, input.id, (reason) => attempt.stopping.ask(reason, 0));
    try {
      return await attempt.run();
    } finally {
      leave();
    }
  };
}

class Attempt {
  readonly stopping: Stopping;
  readonly #deps: ActivityDeps;
  readonly #context: Context;
  readonly #input: DispatchInput;
  readonly #scratch: () => string;
  #live: Live | undefined;
  #cancelled: Cancelled | undefined;

  constructor(deps: ActivityDeps, context: Context, input: DispatchInput, scratch: () => string) {
    this.#deps = deps;
    this.#context = context;
    this.#input = input;
    this.#scratch = scratch;
    this.stopping = new Stopping((reason) => {
      // a handover is no one's decision: it raises nothing (run.md, Dispatches)
      if (reason === 'cancel' || reason === 'timeout') this.#live?.tell({ kind: 'stopping', at: now(), host: deps.host }, true);
    });
    context.cancelled.catch((error: unknown) => this.#onCancelled(error));
  }

  async run(): Promise<DispatchResult> {
    const opened = await openDispatch(this.#deps, this.#context, this.#input).catch((error: unknown) => this.#unopened(error));
    if (opened.kind === 'result') return opened.result;
    const live = this.#goLive(opened);
    try {
      const ended = await this.#work(live, opened);
      return await this.#conclude(live, opened, ended);
    } finally {
      await live.close();
    }
  }

  /** Thrown on, it would be tried without end, and each try would look like the death of a worker. */
  #unopened(error: unknown): Opened {
    const { ending } = this.#broken(error);
    const outcome = ending.kind === 'failed' ? ending.outcome : 'infrastructure-failure';
    const told = { reached: 'not-started', endedBy: 'not-started', ok: false, outcome, detail: messageOf(error) } as const;
    return { kind: 'result', result: { ...told, attempts: [], output: '', host: this.#deps.host } };
  }

  #goLive({ project, dir, secrets, opening }: Started): Live {
    const live = new Live({
      deps: this.#deps,
      context: this.#context,
      input: this.#input,
      stopping: this.stopping,
      progress: opening.progress,
      project,
      dir,
      scratch: this.#scratch,
      secrets,
    });
    this.#live = live;
    const { attempts, attempt } = opening.progress;
    const before = attempts.at(-2);
    if (before) live.tell({ kind: 'asked-again', at: now(), attempt, reason: before.reason ?? 'the attempt before came to nothing' });
    return live;
  }

  async #work(live: Live, { found, opening }: Started): Promise<Ended> {
    const { work } = this.#input;
    try {
      if (work.kind === 'run') return await runProgram(live, work);
      if (!found) throw new Error('an agent was opened without its adapter');
      const session = opening.session === undefined ? {} : { session: opening.session };
      return await runTurn(live, { work, found, delivered: opening.own, ...session });
    } catch (error) {
      return this.#broken(error);
    }
  }

  /** What the system refused (a full disk, no more processes) may pass; anything else is a fault of ours, and would only repeat itself. */
  #broken(error: unknown): Ended {
    const { run, id } = this.#input;
    const code = codeOf(error);
    this.#deps.log(`${run}/${id} could not be run: ${messageOf(error)}`, {
      run,
      dispatch: id,
      code,
      stack: (error as Error | undefined)?.stack,
    });
    if (code !== undefined) return { ending: { kind: 'not-started', reason: `${code}: ${messageOf(error)}` } };
    return { ending: { kind: 'failed', outcome: 'defect', detail: messageOf(error) } };
  }

  async #conclude(live: Live, { found, opening }: Started, ended: Ended): Promise<DispatchResult> {
    const notes = await live.transcript.close();
    const log = live.transcript.written;
    const conclusion = conclude({
      input: this.#input,
      progress: live.progress,
      ended,
      stopping: this.stopping,
      continuing: opening.own,
      canContinue: found?.adapter.abilities.continue ?? false,
      mask: live.mask,
      notes,
      ...(log !== undefined && { log }),
      ...(this.#cancelled && { cancelled: this.#cancelled }),
    });
    if (conclusion.kind === 'result') return conclusion.result;
    live.leave(conclusion.progress);
    throw conclusion.failure;
  }

  #onCancelled(error: unknown): void {
    const cancelled = roadOf(this.#context.cancellationDetails, messageOf(error));
    this.#cancelled = cancelled;
    switch (cancelled.road) {
      case 'cancel':
        return this.stopping.ask('cancel', this.#input.limits.graceMs);
      case 'handover':
        return this.stopping.ask('handover', this.#deps.shutdownGraceMs);
      case 'gone':
        return this.stopping.ask('gone', GONE_MS);
      default:
        return cancelled.road satisfies never;
    }
  }
}

// Plays a run in memory: feeds inputs to `decide` and keeps what came back. Nothing of Temporal is in it.

import { decide, newRun } from '../../model/run/decide.js';
import type { Command } from '../../model/messages.js';
import type { DispatchResult } from '../../model/run/dispatch.js';
import type { RunInput } from '../../model/run/input.js';
import type { Effect, Input } from '../../model/run/inputs.js';
import type { Envelope } from '../../model/event.js';
import { resultOf } from '../../model/run/result-of.js';
import type { RunState } from '../../model/run/state.js';
import type { Author } from '../../model/run/words.js';
import { result } from './builders.js';

export const T0 = Date.UTC(2026, 0, 1);

export class Play {
  state: RunState;
  now = T0;
  readonly events: Envelope[] = [];
  readonly effects: Effect[] = [];
  /** dispatch ids that are out */
  readonly out = new Set<string>();
  #ids = 0;

  constructor(input: RunInput) {
    this.state = newRun(input, this.now);
    this.put({ kind: 'start' });
  }

  /** Decides one input, 1 ms later; answers journal and end writes at once unless `journal` says otherwise. */
  put(input: Input): this {
    this.now += 1;
    const { state, effects, events } = decide(this.state, input, this.now);
    this.state = state;
    this.events.push(...events);
    this.effects.push(...effects);
    for (const effect of effects) this.#follow(effect);
    return this;
  }

  journal: (effect: Extract<Effect, { kind: 'journal' }>) => Input | undefined = (effect) => ({
    kind: 'journal',
    answer: { written: true, seq: effect.events.at(-1)?.seq ?? 0 },
  });

  end: Input = { kind: 'end-written', answer: { written: true, seq: 0 } };

  #follow(effect: Effect): void {
    if (effect.kind === 'dispatch') this.out.add(effect.order.id);
    const answer = effect.kind === 'journal' ? this.journal(effect) : effect.kind === 'write-end' ? this.end : undefined;
    if (answer) this.put(answer);
  }

  finish(dispatch: string, more: Partial<DispatchResult> = {}): this {
    if (!this.out.delete(dispatch)) throw new Error(`${dispatch} is not out; out are ${[...this.out].join(', ') || 'none'}`);
    return this.put({ kind: 'result', dispatch, result: result(more) });
  }

  fail(dispatch: string, outcome = 'task-failed', detail = 'exit 1'): this {
    return this.finish(dispatch, { ok: false, outcome, detail });
  }

  command(command: Command, author: Author = 'operator', id = `c${++this.#ids}`): string | undefined {
    this.put({ kind: 'envelope', envelope: { id, author, by: 'tester', commands: [command] } });
    return this.state.answers.find((answer) => answer.id === id)?.reason;
  }

  /** as a continue-as-new would carry it */
  carry(): this {
    this.state = JSON.parse(JSON.stringify(this.state)) as RunState;
    return this.put({ kind: 'start' });
  }

  kinds(node?: string): string[] {
    return this.events.filter((event) => node === undefined || event.labels.node === node).map((event) => event.kind);
  }

  settled(node: string): Envelope['payload'] | undefined {
    return this.events.findLast((event) => event.kind === 'node-settled' && event.labels.node === node)?.payload;
  }

  ended(): Extract<Effect, { kind: 'end' }> | undefined {
    return this.effects.find((effect): effect is Extract<Effect, { kind: 'end' }> => effect.kind === 'end');
  }
}

/** Status of every node, by id. */
export function statuses(play: Play): Record<string, string> {
  return Object.fromEntries(resultOf(play.state).nodes.map((node) => [node.id, node.status]));
}

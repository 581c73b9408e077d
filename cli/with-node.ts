// Commands that take RUN and one thing of that run: the run may be left out when only one is open, even before the other argument.

import { refused, type Tried } from '../model/errors.js';
import { ask } from './ask.js';
import type { Io } from './io.js';
import { refuse } from './refuse.js';
import { withDoor, type OpenedRun } from './with-run.js';
import { resolveRun } from '../client/resolve.js';

export interface Thing {
  /** as given, maybe in RUN's place */
  run?: string;
  /** as given; undefined when missing */
  what?: string;
  /** what to call it: `NODE`, `SURFACE` */
  name: string;
  /** what there is to choose from, for the question and the refusal */
  choices: (opened: OpenedRun) => Promise<string[]>;
}

/**
 * Finds run and thing: `RUN THING`, or `THING` alone when the first word is no run and only one is open.
 * What is missing is asked for on a terminal; elsewhere it is a usage error that names the choices.
 */
export function withThing(io: Io, thing: Thing, work: (opened: OpenedRun, what: string) => Promise<number>): Promise<number> {
  return withDoor(io, async (opened) => {
    let { what } = thing;
    let run = await resolveRun(opened.door, thing.run);
    if (!run.ok && run.refusal.code === 'not-found' && what === undefined) {
      const only = await resolveRun(opened.door, undefined);
      if (only.ok) [run, what] = [only, thing.run];
    }
    if (!run.ok) return refuse(io, run.refusal);
    const found = { ...opened, run: run.value };
    const chosen = what === undefined ? await choose(io, thing, found) : ({ ok: true, value: what } as const);
    return chosen.ok ? work(found, chosen.value) : refuse(io, chosen.refusal);
  });
}

async function choose(io: Io, { name, choices }: Thing, opened: OpenedRun): Promise<Tried<string>> {
  const there = await choices(opened);
  const { run_id: run } = opened.run;
  if (there.length === 0) return refused('usage', `${name} is missing, and run ${run} has none to choose from now`);
  const answer = await ask(io, `${name} of run ${run} (${there.join(', ')}): `);
  return answer === undefined ? refused('usage', `${name} is missing; run ${run} has ${there.join(', ')}`) : { ok: true, value: answer };
}

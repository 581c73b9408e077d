// `sluice reply`: answers a surface and clears it.

import { readSurfaces } from '../../client/read.js';
import { act, refuseInside } from '../act.js';
import { ask } from '../ask.js';
import type { Io } from '../io.js';
import { misuse } from '../refuse.js';
import { withThing, type Thing } from '../with-node.js';
import type { OpenedRun } from '../with-run.js';

type ReplyArgs = { run?: string; surface?: string; text?: string[] };

/** A surface's number, as it is shown: `3`, or `surface:3`. */
const NUMBER = /^(?:surface:)?([1-9]\d*)$/;

export async function run(args: ReplyArgs, io: Io): Promise<number> {
  const inside = refuseInside(io, 'reply');
  if (inside !== undefined) return inside;
  const { thing, words } = readArgs(args);
  return withThing(io, thing, async (opened, what) => {
    const number = NUMBER.exec(what)?.[1];
    if (number === undefined) return misuse(io, `"${what}" is no surface; \`sluice surfaces ${opened.run.run_id}\` shows their numbers`);
    const text = words === '' ? await ask(io, 'Answer: ') : words;
    if (text === undefined) return misuse(io, 'TEXT is missing: what to answer');
    return act(io, opened, { command: 'reply', surface: Number(number), text });
  });
}

/** `RUN SURFACE TEXT…`, or `SURFACE TEXT…` when only one run is open: a run is not called 3 unless something follows that is a number. */
function readArgs({ run, surface, text = [] }: ReplyArgs): { thing: Thing; words: string } {
  const shifted = run !== undefined && NUMBER.test(run) && (surface === undefined || !NUMBER.test(surface));
  const base = { name: 'SURFACE', choices: openSurfaces };
  if (shifted) return { thing: { ...base, what: run }, words: [surface, ...text].filter((word) => word !== undefined).join(' ') };
  return { thing: { ...base, ...(run !== undefined && { run }), ...(surface !== undefined && { what: surface }) }, words: text.join(' ') };
}

async function openSurfaces({ door, run }: OpenedRun): Promise<string[]> {
  const surfaces = await readSurfaces(door, run.run_id);
  return surfaces.ok ? surfaces.value.filter(({ answer }) => answer === undefined).map(({ id }) => String(id)) : [];
}

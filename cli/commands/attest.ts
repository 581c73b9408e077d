// `sluice attest`: a person says that what a node waits for has happened.

import type { Command } from '../../model/messages.js';
import { readStatus } from '../../client/read.js';
import { act, refuseInside } from '../act.js';
import { ask } from '../ask.js';
import type { Io } from '../io.js';
import { withThing } from '../with-node.js';
import type { OpenedRun } from '../with-run.js';

type AttestArgs = { run?: string; node?: string; choice?: string; note?: string };

export async function run({ run: given, node, choice, note }: AttestArgs, io: Io): Promise<number> {
  const inside = refuseInside(io, 'attest');
  if (inside !== undefined) return inside;
  return withThing(
    io,
    { ...(given !== undefined && { run: given }), ...(node !== undefined && { what: node }), name: 'NODE', choices: waitingNodes },
    async (opened, what) => {
      const chosen = choice ?? (await askChoice(io, opened, what));
      const command: Command = {
        command: 'attest',
        node: what,
        ...(chosen !== undefined && { choice: chosen }),
        ...(note !== undefined && { note }),
      };
      return act(io, opened, command);
    },
  );
}

async function waitingNodes({ door, run }: OpenedRun): Promise<string[]> {
  const status = await readStatus(door, run.run_id);
  return status.ok ? status.value.waiting.filter(({ kind }) => kind === 'human').map(({ reference }) => reference) : [];
}

/** Several choices and none given: asked for on a terminal; elsewhere the run refuses and names them. */
async function askChoice(io: Io, { door, run }: OpenedRun, node: string): Promise<string | undefined> {
  if (!io.tty || io.json) return undefined;
  const status = await readStatus(door, run.run_id);
  const choices = status.ok ? (status.value.waiting.find(({ reference }) => reference === node)?.choices ?? []) : [];
  return choices.length > 1 ? ask(io, `Choice (${choices.join(', ')}): `) : undefined;
}

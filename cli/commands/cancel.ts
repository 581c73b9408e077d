// `sluice cancel`: asks a node, or the whole run, to stop; `--now` kills.

import type { Command } from '../../model/messages.js';
import { resolveRun } from '../../client/resolve.js';
import { act, refuseInside } from '../act.js';
import type { Io } from '../io.js';
import { refuse } from '../refuse.js';
import { withDoor } from '../with-run.js';

type CancelArgs = { run?: string; node?: string; now?: boolean };

export async function run({ run: given, node, now }: CancelArgs, io: Io): Promise<number> {
  const inside = refuseInside(io, 'cancel');
  if (inside !== undefined) return inside;
  return withDoor(io, async (opened) => {
    const found = await resolveRun(opened.door, given);
    if (!found.ok) return refuse(io, found.refusal);
    const command: Command = { command: 'cancel', ...(node !== undefined && { node }), ...(now === true && { grace: 0 }) };
    return act(io, { ...opened, run: found.value }, command);
  });
}

// `sluice waiting`: the inbox. Every decision due over all runs, with the command that clears each.

import { EXIT } from '../../model/errors.js';
import { inbox, type InboxEntry } from '../../client/waiting.js';
import type { Args } from '../command-spec.js';
import type { Io } from '../io.js';
import { paint } from '../render/colour.js';
import { oneLine } from '../render/plain.js';
import { duration } from '../render/time.js';
import { withDoor } from '../with-run.js';

export function run(_args: Args, io: Io): Promise<number> {
  return withDoor(io, async ({ door }) => {
    const entries = await inbox(door);
    if (io.json) io.out(JSON.stringify({ waiting: entries }, null, 2));
    else if (entries.length === 0) io.out('nothing waits for a person');
    else for (const entry of entries) show(io, entry);
    return EXIT.ok;
  });
}

function show(io: Io, { run_id, reference, action, since, command }: InboxEntry): void {
  const age = duration(Date.now() - Date.parse(since));
  io.out(`${run_id}  ${paint(io.colour, 'yellow', reference)}  for ${age}: ${oneLine(action, Math.max(40, io.columns - 30))}`);
  io.out(`    ${command}`);
}

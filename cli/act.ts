// Gives a command to a run and says what came of it. The one place where a person's commands leave the CLI.

import { EXIT } from '../model/errors.js';
import type { Command } from '../model/messages.js';
import { sendCommands } from '../client/commands.js';
import { whoAmI } from '../client/identity.js';
import type { Io } from './io.js';
import { refuse } from './refuse.js';
import type { OpenedRun } from './with-run.js';

/** @returns 0 when applied or queued, 4 when the run refused it */
export async function act(io: Io, { door, run, settings }: OpenedRun, command: Command): Promise<number> {
  const by = await whoAmI(settings.config, settings.project.dir);
  const sent = await sendCommands(door, run.run_id, [command], { author: 'operator', by });
  if (!sent.ok) return refuse(io, sent.refusal);
  const { id, answer } = sent.value;
  const applied = answer?.applied ?? false;
  if (io.json) io.out(JSON.stringify({ run_id: run.run_id, id, command: command.command, applied, queued: answer === undefined }, null, 2));
  else if (applied && !io.quiet) io.out(`${run.run_id}: ${saying(command)}`);
  if (answer === undefined) io.err(`sluice: queued: no worker answers now; the command is kept and applied when one does (id ${id})`);
  return EXIT.ok;
}

/**
 * Refuses what an agent or program may not say from inside its own dispatch (agents.md, What an agent can do from inside).
 * A guard against slips, not a boundary.
 * @returns the exit code of the refusal, or undefined for a person
 */
export function refuseInside(io: Io, what: string): number | undefined {
  const { SLUICE_RUN: run, SLUICE_NODE: node } = io.env;
  if (run === undefined || node === undefined) return undefined;
  return refuse(io, {
    code: 'refused',
    message: `\`sluice ${what}\` is for people: this shell is inside the dispatch of ${node} in run ${run}`,
  });
}

function saying(command: Command): string {
  switch (command.command) {
    case 'attest':
      return `${command.node} attested${command.choice === undefined ? '' : ` (${command.choice})`}`;
    case 'reply':
      return `surface ${command.surface} answered`;
    case 'cancel':
      return `${command.node ?? 'the run'} ${command.grace === 0 ? 'is killed' : 'is asked to stop'}`;
    case 'retry':
      return `${command.node} runs again`;
    case 'surface':
      return 'raised';
    case 'add':
      return `${command.spec.id} added`;
    case 'reparent':
      return `${command.node} has other needs`;
    case 'drop':
      return `${command.node} dropped`;
    case 'park':
      return `${command.node} parked`;
    case 'unpark':
      return `${command.node} returned`;
    case 'context':
      return `note for ${command.node} taken`;
    case 'edit':
      return `${command.node} changed`;
    case 'complete':
      return 'ends as it stands';
    case 'done':
      return 'said';
    case 'set':
      return `concurrency is ${command.concurrency}`;
    default:
      return command satisfies never;
  }
}

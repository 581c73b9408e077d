// What most commands do first: read the settings, connect, find the run; and close what was opened, whatever happens.

import type { Tried } from '../model/errors.js';
import { connect, type Door } from '../client/connect.js';
import type { RunSummary } from '../client/list.js';
import { resolveRun } from '../client/resolve.js';
import { ask } from './ask.js';
import type { Io } from './io.js';
import { refuse } from './refuse.js';
import { readSettings, type Settings } from './settings.js';

export interface Opened {
  door: Door;
  settings: Settings;
}

export interface OpenedRun extends Opened {
  run: RunSummary;
}

/** Connects, works, closes. @returns the work's exit code, or that of what was refused before it */
export async function withDoor(io: Io, work: (opened: Opened) => Promise<number>): Promise<number> {
  const settings = await readSettings(io);
  if (!settings.ok) return refuse(io, settings.refusal);
  const door = await connect({ env: io.env, home: io.home, config: settings.value.config });
  if (!door.ok) return refuse(io, door.refusal);
  try {
    return await work({ door: door.value, settings: settings.value });
  } finally {
    await door.value.close();
  }
}

/** Connects, finds the run that `given` means, works, closes. */
export function withRun(io: Io, given: unknown, work: (opened: OpenedRun) => Promise<number>): Promise<number> {
  return withDoor(io, async (opened) => {
    const run = await chosenRun(io, opened.door, given as string | undefined);
    return run.ok ? work({ ...opened, run: run.value }) : refuse(io, run.refusal);
  });
}

/** On a terminal, what is missing is asked for; elsewhere the refusal names the choices (people.md, CLI). */
async function chosenRun(io: Io, door: Door, given: string | undefined): Promise<Tried<RunSummary>> {
  const found = await resolveRun(door, given);
  if (found.ok || !io.tty || given !== undefined || found.refusal.code !== 'usage') return found;
  const answer = await ask(io, `${found.refusal.message}\nRun: `);
  return answer === undefined ? found : resolveRun(door, answer);
}

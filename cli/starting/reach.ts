// Reaches the Temporal that a new run goes to: the configured one, else the dev pair of this user, started if need be.

import { done, type Tried } from '../../model/errors.js';
import { connect, type Door } from '../../client/connect.js';
import { isConfigured } from '../../client/temporal-config.js';
import type { Settings } from '../settings.js';

export interface Reached {
  door: Door;
  /** a server and a worker were started for it */
  started: boolean;
}

/** Finds or starts the dev pair; only the command `run` may know how. */
export type StartPair = (settings: Settings) => Promise<Tried<{ address: string; started: boolean }>>;

/** A configured Temporal that cannot be reached is exit 3, never a server of our own (people.md, `sluice run`). */
export async function reach(settings: Settings, startPair: StartPair): Promise<Tried<Reached>> {
  const { where, config } = settings;
  if (isConfigured(where)) return opened(await connect({ ...where, config }), false);
  const pair = await startPair(settings);
  if (!pair.ok) return pair;
  return opened(await connect({ ...where, config, address: pair.value.address }), pair.value.started);
}

function opened(door: Tried<Door>, started: boolean): Tried<Reached> {
  return door.ok ? done({ door: door.value, started }) : door;
}

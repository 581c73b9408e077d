// Finds the adapter behind a name of a plan. New adapters are added here and to RUNNABLE_AGENTS, nowhere else.

import { findEntry } from '../../model/agent/entry.js';
import type { Config } from '../../model/config.js';
import type { Adapter } from './adapter.js';
import { claudeAdapter } from './claude.js';
import { codexAdapter } from './codex.js';
import { commandAdapter } from './command.js';
import { systemClock } from './zone.js';
import type { ReaderClock } from './zone.js';

export interface FoundAdapter {
  ok: true;
  adapter: Adapter;
  /** what `adapter.command` takes: the executable, or a `command` agent's template */
  bin: string[];
  /** the entry's model, for turns that name none */
  model?: string;
  /** the entry's arguments, to stand before the node's */
  args: string[];
  /** names passed from the worker's environment: the adapter's and the entry's; each may end with `*` */
  env: string[];
}

/** `name` is a built-in or an entry of the config's `agents`. `clock` is pinned by tests. */
export function findAdapter(
  name: string,
  config: Config | undefined,
  clock: ReaderClock = systemClock,
): FoundAdapter | { ok: false; reason: string } {
  const found = findEntry(name, config);
  if (!found.ok) return found;
  const { entry } = found;
  const made = makeAdapter(found, clock);
  if (!made.ok) return { ok: false, reason: `agents.${name}: ${made.reason}` };
  const { adapter } = made;
  const [first, ...template] = found.adapter === 'command' ? entry.argv! : [adapter.bin];
  return {
    ok: true,
    adapter,
    bin: [entry.bin ?? first!, ...template],
    ...(entry.model === undefined ? {} : { model: entry.model }),
    args: entry.args ?? [],
    env: [...adapter.env, ...(entry.env ?? [])],
  };
}

function makeAdapter(
  found: Extract<ReturnType<typeof findEntry>, { ok: true }>,
  clock: ReaderClock,
): { ok: true; adapter: Adapter } | { ok: false; reason: string } {
  switch (found.adapter) {
    case 'claude':
      return { ok: true, adapter: claudeAdapter(clock) };
    case 'codex':
      return { ok: true, adapter: codexAdapter(clock) };
    case 'command':
      return commandAdapter(found.entry, clock);
    default:
      return found.adapter satisfies never;
  }
}

// What a name in a plan's `use` stands for: a built-in adapter, or an entry of the config's `agents` that adjusts one.
// Must not know the adapters themselves: they live in activities and need a machine.

import type { AgentConfig, Config } from '../config.js';
import { nearest } from './nearest.js';

/** Every name of agents.md, Adapters: known to plans and configs, whether this release can run it or not. */
export const BUILT_IN_AGENTS: readonly string[] = [
  'claude',
  'codex',
  'gemini',
  'cursor',
  'opencode',
  'copilot',
  'amp',
  'kilocode',
  'pi',
  'acp',
  'command',
];

/** Those that this release has an adapter for. */
export const RUNNABLE_AGENTS = ['claude', 'codex', 'command'] as const;
export type RunnableAgent = (typeof RUNNABLE_AGENTS)[number];

export type AgentEntry = { ok: true; adapter: RunnableAgent; entry: AgentConfig } | { ok: false; reason: string };

/**
 * Finds the adapter behind a name: `agents.<name>` of the config first, then the built-ins.
 * @returns the adapter's name and the config's adjustments (`{}` when there are none), or why the name cannot be run
 */
export function findEntry(name: string, config?: Config): AgentEntry {
  const agents = config?.agents ?? {};
  const entry = Object.hasOwn(agents, name) ? agents[name]! : undefined;
  const adapter = entry?.adapter ?? name;
  if (!BUILT_IN_AGENTS.includes(adapter))
    return { ok: false, reason: entry ? unknownAdapter(name, entry) : unknownName(name, Object.keys(agents)) };
  if (!isRunnable(adapter)) return { ok: false, reason: `not yet: adapter ${adapter} (this release runs ${RUNNABLE_AGENTS.join(', ')})` };
  if (adapter === 'command' && !entry?.argv) {
    return {
      ok: false,
      reason: `agent "${name}" uses the adapter command, which needs a template: give agents.${name}.argv in sluice.config.yaml`,
    };
  }
  return { ok: true, adapter, entry: entry ?? {} };
}

function isRunnable(adapter: string): adapter is RunnableAgent {
  return (RUNNABLE_AGENTS as readonly string[]).includes(adapter);
}

function unknownAdapter(name: string, entry: AgentConfig): string {
  const known = `(built in: ${BUILT_IN_AGENTS.join(', ')})`;
  if (!entry.adapter) return `agents.${name} names no adapter and is no built-in: add \`adapter: command\` ${known}`;
  return `agents.${name}.adapter: unknown adapter "${entry.adapter}"${hint(entry.adapter, BUILT_IN_AGENTS)} ${known}`;
}

function unknownName(name: string, configured: string[]): string {
  const own = configured.filter((known) => !BUILT_IN_AGENTS.includes(known));
  const more = own.length > 0 ? `; in the config: ${own.join(', ')}` : '';
  return `unknown agent "${name}"${hint(name, [...BUILT_IN_AGENTS, ...own])} (built in: ${BUILT_IN_AGENTS.join(', ')}${more})`;
}

function hint(word: string, known: readonly string[]): string {
  const close = nearest(word, known);
  return close === undefined ? '' : `: did you mean "${close}"?`;
}

// What an adapter can be held to, as far as reading a plan has to know (agent-clis.md). The adapters themselves live in
// activities; a test keeps this table equal to their `abilities`.

import type { Config } from '../config.js';

export interface Limits {
  maxTurns: boolean;
  maxCost: boolean;
  /** takes a JSON Schema for its last message */
  output: boolean;
  /** can go on with an earlier conversation */
  resume: boolean;
}

const NONE: Limits = { maxTurns: false, maxCost: false, output: false, resume: false };

/** By adapter; one that is not here can be held to none of them. */
export const LIMITS: Readonly<Record<string, Limits>> = {
  claude: { maxTurns: true, maxCost: true, output: true, resume: true },
  codex: { maxTurns: false, maxCost: false, output: true, resume: true },
};

/** @param use a name that `resolveAgent` gave: a built-in, or an entry of the config that adjusts one */
export function limitsOf(use: string, config: Config): Limits {
  const agents = config.agents ?? {};
  const entry = Object.hasOwn(agents, use) ? agents[use] : undefined;
  const adapter = entry?.adapter ?? use;
  if (adapter === 'command') return { ...NONE, resume: entry?.argv?.some((part) => part.includes('{session}')) ?? false };
  return Object.hasOwn(LIMITS, adapter) ? LIMITS[adapter]! : NONE;
}

// A project whose `claude` is the stub agent playing a script, with settings that make waits short.

import { STUB_AGENT, type Place } from './place.js';

type Step = Record<string, unknown>;

/**
 * Writes sluice.config.yaml. Each agent is the stub with a script of its own.
 * @param scripts by agent name: steps of every call, or `{calls: [steps, …]}`
 */
export async function stubProject(
  place: Place,
  scripts: Record<string, Step[] | { calls: Step[][] }>,
  settings: Record<string, number> = {},
): Promise<void> {
  const agents: string[] = [];
  for (const [name, script] of Object.entries(scripts)) {
    const file = await place.write(`${name}.stub.json`, JSON.stringify(script));
    agents.push(`  ${name}: { adapter: claude, bin: ${JSON.stringify(STUB_AGENT)}, args: [${JSON.stringify(`--stub=${file}`)}] }`);
  }
  // a cancel reaches a dispatch with its next heartbeat
  const all = { backoffMs: 200, graceMs: 2_000, resultGraceMs: 2_000, heartbeatMs: 500, ...settings };
  const body = Object.entries(all).map(([key, value]) => `  ${key}: ${value}`);
  await place.write('sluice.config.yaml', ['agents:', ...agents, 'settings:', ...body, ''].join('\n'));
}

export interface Call {
  pid: number;
  at: string;
  argv: string[];
}

/** The calls of a stub, in order. */
export async function callsOf(place: Place, name: string): Promise<Call[]> {
  return (await place.lines(`${name}.stub.json.calls`)).map((line) => JSON.parse(line) as Call);
}

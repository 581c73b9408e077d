// What every process of a dispatch finds around it: who it is, and the values of `${{ }}` (plan.md, Expressions).

import type { Live } from './live.js';

/** Writes the values that `${{ }}` can read. @returns the file's path */
export function inputsFile(live: Live): string {
  return live.scratch.file('inputs.json', JSON.stringify(live.input.values));
}

/** The variables of plan.md; they win over the plan's own, because tools rely on them. */
export function sluiceEnv({ input, progress }: Live, inputs: string): Record<string, string> {
  return { SLUICE_RUN: input.run, SLUICE_NODE: input.node, SLUICE_ATTEMPT: String(progress.attempt), SLUICE_INPUTS: inputs };
}

// The options of `sluice run` and `sluice check`, as they were given.

import { refused, type Tried } from '../../model/errors.js';

export type RunArgs = {
  plan: string;
  input?: string[];
  agent?: string;
  detach?: boolean;
  id?: string;
  dryRun?: boolean;
  exitOnWait?: boolean;
  attest?: string[];
  home?: string;
};

/**
 * `--input key=value`, each key once; the value may hold anything, also `=` and nothing.
 * @returns refusal `usage` for one without `=`, or given twice
 */
export function readInputs(given: readonly string[] = []): Tried<Record<string, string>> {
  const inputs: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const text of given) {
    const at = text.indexOf('=');
    if (at < 1) return refused('usage', `--input ${text}: give KEY=VALUE`);
    const key = text.slice(0, at);
    if (Object.hasOwn(inputs, key)) return refused('usage', `--input ${key} is given twice`);
    inputs[key] = text.slice(at + 1);
  }
  return { ok: true, value: { ...inputs } };
}

// Reads `--attest NODE[=choice]` against the plan: a yes in advance for what does not wait would never be used, and nobody would know.

import { refused, type Tried } from '../../model/errors.js';
import { nearest } from '../../model/agent/nearest.js';
import type { CompiledPlan } from '../../model/plan/compiled.js';
import type { RunInput } from '../../model/run/input.js';

export type AttestAhead = RunInput['attestAhead'];

/** @returns refusal `usage` for a node that is not there or asks nobody, a choice it does not have, or none where there are several */
export function readAttestAhead(given: readonly string[], plan: CompiledPlan): Tried<AttestAhead> {
  const ahead: AttestAhead = [];
  for (const text of given) {
    const at = text.indexOf('=');
    const node = at < 0 ? text : text.slice(0, at);
    const choice = at < 0 ? undefined : text.slice(at + 1);
    const wrong = whatIsWrong(plan, node, choice);
    if (wrong !== undefined) return refused('usage', `--attest ${text}: ${wrong}`);
    ahead.push({ node, ...(choice !== undefined && { choice }) });
  }
  return { ok: true, value: ahead };
}

function whatIsWrong(plan: CompiledPlan, node: string, choice: string | undefined): string | undefined {
  const spec = plan.nodes.find(({ id }) => id === node);
  if (spec === undefined)
    return `plan ${plan.name} has no node "${node}"${hint(
      node,
      plan.nodes.map(({ id }) => id),
    )}`;
  if (spec.human === undefined) return `${node} is no human node (${spec.kind}); nothing of it is attested`;
  const names = spec.human.choices.map(({ name }) => name);
  if (choice === undefined)
    return names.length > 1 ? `${node} has the choices ${names.join(', ')}; give --attest ${node}=CHOICE` : undefined;
  return names.includes(choice) ? undefined : `${node} has no choice "${choice}"${hint(choice, names)} (${names.join(', ')})`;
}

function hint(word: string, known: string[]): string {
  const close = nearest(word, known);
  return close === undefined ? '' : `; did you mean ${close}?`;
}

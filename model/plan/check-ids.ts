// Names of nodes, steps, machines, states and inputs: what they may look like, and that no two of them read the same.

import { FORBIDDEN_KEYS, isId } from '../ids.js';
import type { Outline } from './outline.js';
import { asRecord, entriesOf } from './outline.js';
import type { Path, Problem } from './problem.js';
import { humanSites } from './sites.js';

export function checkIds(plan: Outline): Problem[] {
  const groups: { path: Path; ids: string[] }[] = [
    { path: ['inputs'], ids: [...plan.inputs.keys()] },
    { path: ['machines'], ids: keysOf(plan.raw.machines) },
    ...entriesOf(plan.raw.machines).map(([id, value]) => ({ path: ['machines', id, 'states'], ids: keysOf(asRecord(value)?.states) })),
    { path: ['nodes'], ids: keysOf(plan.raw.nodes) },
    ...plan.nodes.map(({ path, raw }) => ({ path: [...path, 'change', 'steps'], ids: keysOf(asRecord(raw.change)?.steps) })),
  ];
  return [...emptyGroups(plan), ...groups.flatMap(({ path, ids }) => checkGroup(path, ids)), ...checkReferences(plan)];
}

function keysOf(value: unknown): string[] {
  return entriesOf(value).map(([key]) => key);
}

function emptyGroups(plan: Outline): Problem[] {
  const isEmpty = (value: unknown) => asRecord(value) !== undefined && keysOf(value).length === 0;
  const nodes: Problem[] = isEmpty(plan.raw.nodes) ? [{ path: ['nodes'], message: 'a plan needs at least one node' }] : [];
  const steps = plan.nodes
    .filter(({ raw }) => isEmpty(asRecord(raw.change)?.steps))
    .map(({ path }): Problem => ({ path: [...path, 'change', 'steps'], message: 'a change needs at least one step' }));
  return [...nodes, ...steps];
}

function checkGroup(path: Path, ids: string[]): Problem[] {
  const seen = new Map<string, string>();
  return ids.flatMap((id) => {
    const problems: Problem[] = isId(id) ? [] : [{ path: [...path, id], at: 'key', message: whyNoId(id) }];
    const twin = seen.get(id.toLowerCase());
    seen.set(id.toLowerCase(), id);
    // file systems of some hosts do not tell them apart, and ids become file and branch names
    if (twin !== undefined) problems.push({ path: [...path, id], at: 'key', message: `\`${twin}\` and \`${id}\` differ only in case` });
    return problems;
  });
}

function whyNoId(id: string): string {
  const name = `\`${id.length > 80 ? `${id.slice(0, 80)}…` : id}\``;
  if (FORBIDDEN_KEYS.includes(id)) return `${name} is a reserved word and no id`;
  if (id === '') return 'an id must not be empty';
  if (id.includes('..')) return `${name} is no id: \`..\` is not allowed in one`;
  if (id.endsWith('.') || id.endsWith('.lock')) return `${name} is no id: it must not end in a dot or in .lock`;
  if (id.length > 64) return `${name} is no id: ${id.length} characters, at most 64 are allowed`;
  return `${name} is no id: letters, digits, dots, dashes and underscores, beginning with a letter or digit`;
}

/** What a person attests is named `NODE`, or `NODE@STEP` in a change; two that read the same could not be told apart. */
function checkReferences(plan: Outline): Problem[] {
  const seen = new Map<string, Path>();
  return humanSites(plan).flatMap(({ node, step, path }) => {
    if (node === undefined) return [];
    const reference = step === undefined ? node : `${node}@${step}`;
    const other = seen.get(reference.toLowerCase());
    seen.set(reference.toLowerCase(), path);
    if (other === undefined || !reference.includes('@')) return [];
    return [{ path, message: `\`${reference}\` is what a person would attest here and also at ${other.join('.')}: rename one` }];
  });
}

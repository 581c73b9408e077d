// The graph of a plan read leniently: whatever has the right shape is taken, the rest is left to the schema.
// So that a fault of form never hides a fault of the graph, and the other way round.

import type { Path } from './problem.js';
import { NODE_KINDS } from './schema.js';
import type { NodeKind } from './compiled.js';

export type Raw = Readonly<Record<string, unknown>>;

export interface OutlineNeed {
  node: string;
  path: Path;
  landed: boolean;
  /** a node of another run: nothing of it can be checked here */
  elsewhere: boolean;
}

export interface OutlineNode {
  id: string;
  path: Path;
  raw: Raw;
  /** exactly one in a plan that is right */
  kinds: NodeKind[];
  needs: OutlineNeed[];
}

export interface Outline {
  raw: Raw;
  nodes: OutlineNode[];
  byId: ReadonlyMap<string, OutlineNode>;
  inputs: ReadonlyMap<string, Raw>;
}

export function asRecord(value: unknown): Raw | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The entries of a record, none when it is something else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(asRecord(value) ?? {});
}

/** Members of a list that are text, each with its path. */
export function textsOf(value: unknown, path: Path): { text: string; path: Path }[] {
  return asList(value).flatMap((item, index) => (typeof item === 'string' ? [{ text: item, path: [...path, index] }] : []));
}

/** Short or long form: the long one, with the text of the short one under `key`. */
export function longForm(value: unknown, key: string): Raw | undefined {
  return typeof value === 'string' ? { [key]: value } : asRecord(value);
}

/** What can be told of the graph of `raw`, which need not be a valid plan. */
export function outline(raw: unknown): Outline {
  const plan = asRecord(raw) ?? {};
  const nodes = entriesOf(plan.nodes).flatMap(([id, value]) => {
    const node = asRecord(value);
    return node === undefined ? [] : [outlineNode(id, node)];
  });
  const inputs = new Map(entriesOf(plan.inputs).map(([name, value]) => [name, asRecord(value) ?? {}]));
  return { raw: plan, nodes, byId: new Map(nodes.map((node) => [node.id, node])), inputs };
}

function outlineNode(id: string, raw: Raw): OutlineNode {
  const path = ['nodes', id];
  const kinds = NODE_KINDS.filter((kind) => raw[kind] !== undefined);
  return { id, path, raw, kinds, needs: asList(raw.needs).flatMap((need, index) => outlineNeed(need, [...path, 'needs', index])) };
}

function outlineNeed(need: unknown, path: Path): OutlineNeed[] {
  if (typeof need === 'string') return [{ node: need, path, landed: false, elsewhere: false }];
  const long = asRecord(need);
  if (typeof long?.node !== 'string') return [];
  return [{ node: long.node, path: [...path, 'node'], landed: long.until === 'landed', elsewhere: long.run !== undefined }];
}

/** Every node that `id` waits for, directly or not; without `id` itself, even on a cycle. */
export function ancestorsOf(plan: Outline, id: string): Set<string> {
  const seen = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const need of plan.byId.get(at)?.needs ?? []) {
      if (need.elsewhere || seen.has(need.node) || !plan.byId.has(need.node)) continue;
      seen.add(need.node);
      open.push(need.node);
    }
  }
  seen.delete(id);
  return seen;
}

/** True when `id` certainly waits for `earlier`. The nearest are looked at first: mostly it is a need of its own. */
export function comesBefore(plan: Outline, earlier: string, id: string): boolean {
  const seen = new Set<string>([id]);
  for (const at of seen) {
    for (const need of plan.byId.get(at)?.needs ?? []) {
      if (need.elsewhere) continue;
      if (need.node === earlier && earlier !== id) return true;
      seen.add(need.node);
    }
  }
  return false;
}

// From the parser's tree to plain JSON, with every fault of the text: keys that are no text, the same key twice, reserved keys,
// aliases that expand without bound. Remembers where each key and alias stands.

import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Alias, Pair, Scalar, YAMLMap } from 'yaml';
import { FORBIDDEN_KEYS } from '../model/ids.js';
import type { Path, Problem } from '../model/plan/problem.js';

/** plan.md: more nodes than this through aliases is a bomb, not a plan */
const MAX_ALIASED = 200_000;
/** Deeper than any plan; recursion over values stays far from the end of the stack. */
const MAX_DEPTH = 200;

export type Fault = Problem & { offset: number };

interface Converted {
  value: unknown;
  /** nodes in it with aliases expanded, and how many of those came by an alias */
  nodes: number;
  aliased: number;
}

export interface Reading {
  root: unknown;
  lineOf: (offset: number) => number;
  faults: Fault[];
  bomb: boolean;
  /** the newest of each anchor; `undefined` while it is still being read */
  anchors: Map<string, { node: unknown; converted?: Converted }>;
  /** what an alias stands for */
  targets: Map<Alias, unknown>;
  /** first pair of each key, in the order written */
  entries: Map<object, Map<string, Pair>>;
}

export function newReading(root: unknown, lineOf: (offset: number) => number): Reading {
  return { root, lineOf, faults: [], bomb: false, anchors: new Map(), targets: new Map(), entries: new Map() };
}

/** The value of a node; faults are left in `reading`. */
export function convert(node: unknown, path: Path, reading: Reading): unknown {
  const { value } = walk(node, [...path], reading);
  return value;
}

const EMPTY: Converted = { value: null, nodes: 1, aliased: 0 };

/** One path is walked along; what keeps it makes a copy. */
type Walked = (string | number)[];

function walk(node: unknown, path: Walked, reading: Reading): Converted {
  if (path.length > MAX_DEPTH) return fault(reading, node, path, 'nested too deeply');
  if (isAlias(node)) return walkAlias(node, path, reading);
  const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
  if (anchor !== undefined) reading.anchors.set(anchor, { node });
  const converted = walkPlain(node, path, reading);
  if (anchor !== undefined) reading.anchors.set(anchor, { node, converted });
  if (converted.aliased > MAX_ALIASED && !reading.bomb) {
    reading.bomb = true;
    fault(reading, node, path, `the aliases in here expand to more than ${MAX_ALIASED} nodes`);
  }
  return converted;
}

function walkPlain(node: unknown, path: Walked, reading: Reading): Converted {
  if (isScalar(node)) return { value: node.value, nodes: 1, aliased: 0 };
  if (isMap(node)) return walkMap(node, path, reading);
  if (!isSeq(node)) return EMPTY;
  const items = node.items.map((item, index) => below(item, path, index, reading));
  return sum(
    items,
    items.map((item) => item.value),
  );
}

function below(node: unknown, path: Walked, key: string | number, reading: Reading): Converted {
  path.push(key);
  const converted = walk(node, path, reading);
  path.pop();
  return converted;
}

function sum(parts: readonly Converted[], value: unknown): Converted {
  const nodes = parts.reduce((total, part) => total + part.nodes, 1);
  return { value, nodes, aliased: parts.reduce((total, part) => total + part.aliased, 0) };
}

function walkAlias(alias: Alias, path: Walked, reading: Reading): Converted {
  const anchor = reading.anchors.get(alias.source);
  if (anchor === undefined) return fault(reading, alias, path, `no anchor \`&${alias.source}\` stands before this alias`);
  if (anchor.converted === undefined) return fault(reading, alias, path, `\`*${alias.source}\` stands inside \`&${alias.source}\` itself`);
  reading.targets.set(alias, anchor.node);
  const { value, nodes } = anchor.converted;
  return { value, nodes, aliased: nodes };
}

function walkMap(map: YAMLMap, path: Walked, reading: Reading): Converted {
  const entries = new Map<string, Pair>();
  reading.entries.set(map, entries);
  const value: Record<string, unknown> = {};
  const parts = map.items.map((pair) => {
    const key = keyOf(pair, path, reading);
    if (key === undefined) return walk(pair.value, path, reading);
    const first = entries.get(key);
    const part = below(pair.value, path, key, reading);
    if (first !== undefined) reading.faults.push(twice(key, first, pair, path, reading));
    else {
      entries.set(key, pair);
      value[key] = part.value;
    }
    return part;
  });
  return sum(parts, value);
}

/** The key as text; undefined when the entry has to be left out. */
function keyOf(pair: Pair, path: Path, reading: Reading): string | undefined {
  const key = pair.key;
  if (!isScalar(key)) {
    fault(reading, key, path, 'a key is plain text');
    return undefined;
  }
  if (typeof key.value === 'string') return textKey(key.value, key, path, reading);
  const source = key.source ?? '';
  // the exit codes of a machine's state are the one place where a key is meant to be a number
  if (path.at(-1) === 'exit' && path[0] === 'machines') return source;
  const type = typeof key.value === 'object' ? 'null' : typeof key.value;
  const message = source === '' ? 'a key is missing here' : `\`${source}\` is a ${type} in YAML 1.2, and a key is text`;
  reading.faults.push({
    offset: offsetOf(key),
    path: source === '' ? [...path] : [...path, source],
    message,
    ...(source === '' ? {} : { hint: `quote it: "${source}"` }),
  });
  return source === '' ? undefined : source;
}

function textKey(text: string, key: Scalar, path: Path, reading: Reading): string | undefined {
  if (FORBIDDEN_KEYS.includes(text)) fault(reading, key, [...path, text], `\`${text}\` cannot be a key`);
  else if (text === '<<' && key.type === 'PLAIN')
    fault(reading, key, [...path, text], 'YAML 1.2 has no merge keys: write the alias as the value, or the fields themselves');
  else return text;
  return undefined;
}

/** The second place is where the fault is shown, the first is named in it. */
function twice(key: string, first: Pair, second: Pair, path: Path, reading: Reading): Fault {
  return {
    offset: offsetOf(second.key),
    path: [...path, key],
    message: `\`${key}\` is written twice, first in line ${reading.lineOf(offsetOf(first.key))}`,
  };
}

function fault(reading: Reading, node: unknown, path: Path, message: string): Converted {
  reading.faults.push({ offset: offsetOf(node), path: [...path], message });
  return EMPTY;
}

/** Where a node begins; 0 for what has no place. */
export function offsetOf(node: unknown): number {
  return (node as { range?: [number, number, number] | null } | null)?.range?.[0] ?? 0;
}

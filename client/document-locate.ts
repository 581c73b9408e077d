// Where a path of the value stands in the text. Follows aliases to what they stand for.

import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Path, Problem } from '../model/plan/problem.js';
import { offsetOf } from './document-convert.js';
import type { Reading } from './document-convert.js';

interface Found {
  offset: number;
  /** the value there; undefined when the path leads to nothing */
  node?: unknown;
}

/** The place of a path, or of the nearest thing around it that is there. */
export function locate(reading: Reading, path: Path, at?: Problem['at']): Found {
  let node = reading.root;
  let offset = offsetOf(node);
  for (const [index, part] of path.entries()) {
    const next = step(reading, isAlias(node) ? reading.targets.get(node) : node, part);
    if (next === undefined) return { offset };
    node = next.value;
    const key = next.key === undefined ? undefined : offsetOf(next.key);
    const wantsKey = at === 'key' && index === path.length - 1;
    offset = key !== undefined && (wantsKey || isBelowKey(node)) ? key : offsetOf(node);
  }
  return { offset, node: isAlias(node) ? reading.targets.get(node) : node };
}

function step(reading: Reading, node: unknown, part: string | number): { key?: unknown; value: unknown } | undefined {
  if (isMap(node)) return reading.entries.get(node)?.get(String(part));
  return isSeq(node) && typeof part === 'number' && part < node.items.length ? { value: node.items[part] } : undefined;
}

/** What begins on a line below its key, or is not there at all, is shown at the key. */
function isBelowKey(node: unknown): boolean {
  if (isMap(node) || isSeq(node)) return node.flow !== true;
  return !isScalar(node) && !isAlias(node) ? true : isScalar(node) && node.source === '' && node.value === null;
}

/** The characters of a number, boolean or null, and what they are read as. */
export function sourceAt(reading: Reading, path: Path): { source: string; type: string } | undefined {
  const { node } = locate(reading, path);
  if (!isScalar(node) || typeof node.value === 'string') return undefined;
  return { source: node.source ?? '', type: node.value === null ? 'null' : typeof node.value };
}

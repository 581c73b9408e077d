// Which processes belong to one dispatch. Pure: it judges a process table that is handed in.

import type { Identity, ProcessEntry } from './identity.js';

/** A tree that is to be ended. */
export interface TreeRoot extends Identity {
  /** value of the marker variable in the tree's environment; '' when none was given */
  marker: string;
  /**
   * True when the group's number is known to be still the tree's own: its guard asks, at or before the leader's exit. Else members of
   * the group count only while the leader itself is there, because the number may have gone to others since.
   */
  ownsGroup: boolean;
  /** `tree`: also descendants that left the group; `group`: the group, and groups of the same session (job control of a shell) */
  scope: 'tree' | 'group';
}

/** Processes by the value of their marker. */
export type Marked = ReadonlyMap<string, readonly ProcessEntry[]>;

/** The living members of a tree, its leader first if it lives. */
export function membersOf(root: TreeRoot, table: readonly ProcessEntry[], marked: Marked): ProcessEntry[] {
  const leader = table.find((entry) => entry.pid === root.pid && entry.start === root.start);
  const trusted = root.pid > 1 && (root.ownsGroup || leader !== undefined);
  const seeds = table.filter((entry) => entry === leader || (trusted && (entry.group === root.pid || entry.session === root.pid)));
  if (root.scope === 'group') return seeds.filter(isAlive);
  if (root.marker !== '') seeds.push(...(marked.get(root.marker) ?? []));
  return [...withDescendants(seeds, table)].filter(isAlive);
}

function withDescendants(seeds: readonly ProcessEntry[], table: readonly ProcessEntry[]): Set<ProcessEntry> {
  const children = byParent(table);
  const found = new Set(seeds);
  // a Set hands out what is added while it is walked: this is the whole breadth-first search
  for (const entry of found) for (const child of children.get(entry.pid) ?? []) found.add(child);
  return found;
}

function byParent(table: readonly ProcessEntry[]): Map<number, ProcessEntry[]> {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  return children;
}

function isAlive(entry: ProcessEntry): boolean {
  return !entry.zombie && entry.pid !== process.pid && entry.pid > 1;
}

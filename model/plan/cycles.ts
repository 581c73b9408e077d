// The shortest circles of a graph. Works on numbers, so that a ring of ten thousand nodes is named in milliseconds.

interface Peeled {
  /** edges among what is left */
  out: number[][];
  alive: Uint8Array;
}

/**
 * Circles of a graph, each as the ids along it with the first one again at its end: `[a, b, a]`. A shortest one through a
 * node is named, then that node is taken out and the rest looked at again, so independent circles are all told.
 * @param graph what each node points to; unknown targets and loops on itself are left out
 */
export function shortestCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const ids = [...graph.keys()];
  const index = new Map(ids.map((id, i) => [id, i]));
  const targets = (id: string) => graph.get(id)!.flatMap((to) => (to === id ? [] : [index.get(to) ?? -1]));
  const out = ids.map((id) => [...new Set(targets(id).filter((to) => to >= 0))]);
  const state: Peeled = { out, alive: new Uint8Array(ids.length).fill(1) };
  const cycles: number[][] = [];
  peel(state);
  for (let at = state.alive.indexOf(1); at !== -1; at = state.alive.indexOf(1)) {
    const cycle = shortestLeft(state, at);
    if (cycle === undefined) break;
    cycles.push(cycle);
    for (const node of cycle) state.alive[node] = 0;
    peel(state);
  }
  return cycles.map((cycle) => fromFirst(cycle).map((i) => ids[i]!));
}

/** Takes away, again and again, what nothing points to or what points to nothing: only circles, and what joins them, are left. */
function peel({ out, alive }: Peeled): void {
  const into: number[][] = out.map(() => []);
  out.forEach((targets, from) => targets.forEach((to) => alive[from] && alive[to] && into[to]!.push(from)));
  const ins = into.map((sources) => sources.length);
  const outs = out.map((targets) => targets.filter((to) => alive[to]).length);
  const open = out.flatMap((_, i) => (alive[i] && (ins[i] === 0 || outs[i] === 0) ? [i] : []));
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (!alive[at]) continue;
    alive[at] = 0;
    for (const to of out[at]!) if (alive[to] && --ins[to]! === 0) open.push(to);
    for (const from of into[at]!) if (alive[from] && --outs[from]! === 0) open.push(from);
  }
}

/** The shortest circle among the living. A node that was tried is out of the search: a shorter one does not pass through it. */
function shortestLeft(state: Peeled, first: number): number[] | undefined {
  const alive = state.alive.slice();
  const search: Peeled = { out: state.out, alive };
  let best: number[] | undefined;
  for (let at = first; at !== -1; at = alive.indexOf(1)) {
    const cycle = through(search, at, best?.length ?? Infinity);
    if (cycle !== undefined) best = cycle;
    alive[at] = 0;
    peel(search);
  }
  return best;
}

/** Breadth first from `start` back to itself, if that takes fewer than `below` nodes. */
function through({ out, alive }: Peeled, start: number, below: number): number[] | undefined {
  const before = new Map<number, number>([[start, -1]]);
  let level = [start];
  for (let depth = 1; level.length > 0 && depth < below; depth++) {
    const next: number[] = [];
    for (const at of level) {
      for (const to of out[at]!) {
        if (to === start) return pathTo(at, before);
        if (!alive[to] || before.has(to)) continue;
        before.set(to, at);
        next.push(to);
      }
    }
    level = next;
  }
  return undefined;
}

function pathTo(end: number, before: ReadonlyMap<number, number>): number[] {
  const path: number[] = [];
  for (let at = end; at !== -1; at = before.get(at)!) path.push(at);
  return path.reverse();
}

/** Turned so that it begins at the node written first, and closed. */
function fromFirst(cycle: number[]): number[] {
  const start = cycle.indexOf(Math.min(...cycle));
  return [...cycle.slice(start), ...cycle.slice(0, start), cycle[start]!];
}

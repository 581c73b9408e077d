// The graphs that both sides run, in their plainest form: nodes in order, each with the indices of what it needs.

/** @typedef {{ name: string, needs: number[][] }} Graph */

/** Each node needs the one before. */
export function chain(count) {
  return { name: `chain of ${count}`, needs: Array.from({ length: count }, (_, i) => (i === 0 ? [] : [i - 1])) };
}

/** Nothing needs anything. */
export function wide(count) {
  return { name: `${count} wide`, needs: Array.from({ length: count }, () => []) };
}

/** `levels` of `width` nodes; each needs three of the level before, spread so that no node waits for only its own column. */
export function layered(levels, width) {
  const needsOf = (index) => {
    const level = Math.floor(index / width);
    if (level === 0) return [];
    const column = index % width;
    return [column, (column + 1) % width, (column + 7) % width].map((above) => (level - 1) * width + above);
  };
  return { name: `${levels} x ${width} layered`, needs: Array.from({ length: levels * width }, (_, i) => needsOf(i)) };
}

/** Names as a person would give them: their length is part of what travels. */
export function nodeName(index) {
  return `node-${String(index).padStart(5, '0')}`;
}

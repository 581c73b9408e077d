// "Did you mean": the known name closest to a mistyped one. Pure; knows nothing of agents.

/**
 * The known name that is fewest edits away from `word`, case aside.
 * @returns undefined when none is close: more than a third of the letters (at least one, at most three) would have to change
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.min(3, Math.max(1, Math.floor(word.length / 3)));
  let best: string | undefined;
  let fewest = most + 1;
  for (const name of known) {
    const edits = distance(word.toLowerCase(), name.toLowerCase());
    if (edits < fewest) [best, fewest] = [name, edits];
  }
  return best;
}

/** Edits between two words: insert, delete, replace, and swap of neighbours (the commonest slip of a hand). */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, older[j - 2]! + 1);
      row.push(edits);
    }
    [older, last] = [last, row];
  }
  return last[b.length]!;
}

// Plain columns: as wide as their widest cell, the last one cut to the terminal. No borders, so that they can be cut and grepped.

import { oneLine } from './plain.js';

const GAP = '  ';
/** A last column narrower than this says nothing; then lines may wrap. */
const LEAST = 20;

export interface TableOptions {
  columns: number;
  head?: readonly string[];
  /** paints a cell after it has been measured */
  paint?(text: string, row: number, column: number): string;
}

/** Lines of a table; no rows, no lines. */
export function table(rows: readonly (readonly string[])[], options: TableOptions): string[] {
  if (rows.length === 0) return [];
  const cells = (options.head === undefined ? rows : [options.head, ...rows]).map((row) => row.map((cell) => oneLine(cell)));
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => lengthOf(row[column] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const room = Math.max(LEAST, options.columns - before);
  const offset = options.head === undefined ? 0 : 1;
  return cells.map((row, index) =>
    row
      .map((cell, column) => {
        const last = column === row.length - 1;
        const text = last ? oneLine(cell, room) : cell;
        const shown = index < offset || options.paint === undefined ? text : options.paint(text, index - offset, column);
        return last ? shown : shown + ' '.repeat(widths[column]! - lengthOf(cell));
      })
      .join(GAP)
      .trimEnd(),
  );
}

function lengthOf(text: string): number {
  return [...text].length;
}

// The bench's figures as text. Nothing is measured here.

const pad = (text, width, left = false) => (left ? text.padEnd(width) : text.padStart(width));
const number = (value, digits) => (value === undefined ? '' : value.toFixed(digits));

const COLUMNS = [
  ['', 22, ({ first, name }) => (first ? name : ''), true],
  ['side', 12, ({ side }) => side, true],
  ['ms', 8, ({ ms }) => number(ms, 2)],
  ['lowest', 8, ({ lowest }) => number(lowest, 2)],
  ['highest', 8, ({ highest }) => number(highest, 2)],
  ['x bare', 7, ({ ratio }) => number(ratio, 2)],
  ['events', 8, ({ events }) => number(events, 1)],
  ['bytes', 8, ({ bytes }) => number(bytes, 0)],
  ['bar', 0, ({ barText = '' }) => barText, true],
];

const line = (cells) => cells.join(' ').trimEnd();

/** One line a side; ms, events and bytes are for each node where a question has nodes. */
export function printTable(questions) {
  const lines = [line(COLUMNS.map(([title, width, , left]) => pad(title, width, left)))];
  for (const { name, rows, bar } of questions) {
    const bare = rows.find((row) => row.side === 'bare');
    rows.forEach((row, index) => {
      const barText = bar?.side === row.side ? `${bar.met ? 'met' : 'MISSED'}: ${bar.text}` : undefined;
      const shown = { ...row, name, first: index === 0, ratio: bare && row !== bare ? row.ms / bare.ms : undefined, barText };
      lines.push(line(COLUMNS.map(([, width, show, left]) => pad(show(shown), width, left))));
    });
  }
  return lines.join('\n');
}

/** Peak resident memory of each worker process, and of its guard. */
export function printMemory(memory) {
  const parts = memory.map(
    ({ side, workerMb, guardMb }) => `${side} ${workerMb.toFixed(0)} MB${guardMb > 0 ? ` + guard ${guardMb.toFixed(0)} MB` : ''}`,
  );
  return `peak memory: ${parts.join(', ')}`;
}

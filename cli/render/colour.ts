// The few colours there are, and none where they are not wanted.

const CODES = { green: 32, red: 31, yellow: 33, blue: 34, magenta: 35, cyan: 36, dim: 2, bold: 1 } as const;
export type Colour = keyof typeof CODES;

/** Paints when `on`; else the text as it is. */
export function paint(on: boolean, colour: Colour, text: string): string {
  return on ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

/** Colour of a node's status or a run's state. */
export function colourOf(word: string): Colour {
  switch (word) {
    case 'done':
    case 'complete':
      return 'green';
    case 'failed':
    case 'terminated':
      return 'red';
    case 'waiting':
    case 'complete-draft':
      return 'yellow';
    case 'running':
      return 'cyan';
    case 'cancelled':
    case 'parked':
      return 'magenta';
    default:
      return 'dim';
  }
}

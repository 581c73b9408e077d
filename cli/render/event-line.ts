// One event as one line: `HH:MM:SS kind node detail` (people.md, `sluice run` without a TTY).

import type { Envelope } from '../../model/event.js';
import { colourOf, paint, type Colour } from './colour.js';
import { oneLine } from './plain.js';
import { clock } from './time.js';

/** `ticket-moved`, `decision-pending`: the longest names of what is common; longer ones push. */
const KIND_WIDTH = 16;

/** Payload fields by how much they say; what is not named here is left to `--json`. */
const TELLING = [
  'status',
  'state',
  'outcome',
  'fact',
  'reference',
  'choice',
  'command',
  'attempt',
  'host',
  'reason',
  'detail',
  'action',
  'message',
  'text',
];

/** Shown bare: their value says what it is. The others are shown as `name value`. */
const BARE = new Set(['status', 'state', 'outcome', 'fact', 'reference', 'reason', 'detail', 'action', 'message', 'text', 'command']);

export function eventLine(event: Envelope, options: { colour: boolean; columns: number }): string {
  const kind = event.kind.padEnd(KIND_WIDTH);
  const where = [event.labels.node, event.labels.step].filter((part) => part !== undefined).join('@');
  const text = [where, details(event)].filter((part) => part !== '').join(' ');
  const room = Math.max(20, options.columns - 'HH:MM:SS '.length - kind.length - 1);
  const head = `${paint(options.colour, 'dim', clock(event.ts))} ${paint(options.colour, kindColour(event), kind)}`;
  return `${head} ${oneLine(text, room)}`.trimEnd();
}

function details({ payload, labels }: Envelope): string {
  const said = (key: string): boolean =>
    payload[key] === undefined || payload[key] === null || payload[key] === '' || payload[key] === labels.node;
  const parts = TELLING.filter((key) => !said(key)).map((key) => {
    const value = payload[key];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return BARE.has(key) ? text : `${key} ${text}`;
  });
  return parts.join(' · ');
}

function kindColour({ kind, payload }: Envelope): Colour {
  const word = payload.status ?? payload.state;
  if (typeof word === 'string') return colourOf(word);
  if (kind === 'decision-pending' || kind === 'surface-raised' || kind === 'quiet-worker') return 'yellow';
  return kind === 'edit-rejected' || kind === 'dispatch-refused' ? 'red' : 'dim';
}

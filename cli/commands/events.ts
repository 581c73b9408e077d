// `sluice events`: what happened, one line each; with --json the envelopes themselves, one a line.

import { EXIT, exitCodeOfSignal } from '../../model/errors.js';
import { EVENT_KINDS } from '../../model/event.js';
import { nearest } from '../../model/agent/nearest.js';
import { follow } from '../../client/follow.js';
import type { Io } from '../io.js';
import { misuse } from '../refuse.js';
import { eventLine } from '../render/event-line.js';
import { withRun } from '../with-run.js';

type EventsArgs = { run?: string; follow?: boolean; kind?: string[]; after?: number };

export function run({ run: given, follow: live, kind, after }: EventsArgs, io: Io): Promise<number> {
  const unknown = kind?.find((one) => !(EVENT_KINDS as readonly string[]).includes(one));
  if (unknown !== undefined) return Promise.resolve(misuse(io, unknownKind(unknown)));
  return withRun(io, given, async ({ door, run }) => {
    const note = (text: string): void => io.err(`sluice: ${text}`);
    const pages = follow(door, run, { live: live === true, note, signal: io.signal, ...(after !== undefined && { after }) });
    for await (const { events } of pages) {
      for (const event of events) {
        if (kind !== undefined && !kind.includes(event.kind)) continue;
        io.out(io.json ? JSON.stringify(event) : eventLine(event, io));
      }
    }
    return io.signal.aborted ? exitCodeOfSignal(String(io.signal.reason)) : EXIT.ok;
  });
}

function unknownKind(given: string): string {
  const close = nearest(given, EVENT_KINDS);
  return `--kind ${given}: no such kind of event${close === undefined ? '' : `; did you mean ${close}?`}. Kinds: ${EVENT_KINDS.join(', ')}`;
}

// Watches a run without a terminal: one line per event, then the state. What waits is said once each time it changes.

import type { Door } from '../../client/connect.js';
import { follow } from '../../client/follow.js';
import type { RunSummary } from '../../client/list.js';
import { readStatus } from '../../client/read.js';
import type { Io } from '../io.js';
import { eventLine } from '../render/event-line.js';
import { waitingLines } from '../render/status-view.js';
import { sayDetached, sayEnd } from './ending.js';

export interface WatchOptions {
  /** leave with 1 as soon as nothing moves without a person */
  exitOnWait: boolean;
}

/** @returns 0 when the run is complete, 1 when it ended otherwise or waits with `exitOnWait`, 130 or 143 by signal (the run goes on) */
export async function watchLines(io: Io, door: Door, run: RunSummary, { exitOnWait }: WatchOptions): Promise<number> {
  const note = (text: string): void => io.err(`sluice: ${text}`);
  let news = true;
  let said = '';
  for await (const { events, idle } of follow(door, run, { live: true, note, signal: io.signal })) {
    if (!io.json && !io.quiet) for (const event of events) io.out(eventLine(event, io));
    news ||= events.length > 0;
    if (!idle || !news) continue;
    news = false;
    const waits = await whatWaits(io, door, run);
    if (waits === undefined) continue;
    if (exitOnWait) return await sayEnd(io, door, run.run_id);
    if (!io.json && waits !== said) io.out(waits);
    said = waits;
  }
  if (io.signal.aborted) return sayDetached(io, run.run_id);
  return sayEnd(io, door, run.run_id);
}

async function whatWaits(io: Io, door: Door, run: RunSummary): Promise<string | undefined> {
  const status = await readStatus(door, run.run_id);
  if (!status.ok || status.value.state !== 'waiting') return undefined;
  return waitingLines(status.value, io)
    .filter((line) => line !== '')
    .join('\n');
}

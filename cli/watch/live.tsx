// Runs the live view: feeds it with snapshots, carries out what the person chooses, and ends with the last words on plain lines.

import { render } from 'ink';
import type { Door } from '../../client/connect.js';
import { sendCommands } from '../../client/commands.js';
import { messageOf } from '../../client/failures.js';
import type { RunSummary } from '../../client/list.js';
import type { Io } from '../io.js';
import { sayDetached, sayEnd } from './ending.js';
import { RunView } from './run-view.js';
import { watchSnapshots, type Snapshot } from './snapshot.js';

export interface LiveOptions {
  exitOnWait: boolean;
  /** who cancels, when the person does */
  by: string;
}

/** @returns as `watchLines` does */
export async function watchLive(io: Io, door: Door, run: RunSummary, { exitOnWait, by }: LiveOptions): Promise<number> {
  const leave = new AbortController();
  const signal = AbortSignal.any([leave.signal, io.signal]);
  let snapshot: Snapshot | undefined;
  let cancelling = Promise.resolve('');
  const onCancel = (): void => {
    cancelling = cancel(door, run.run_id, by);
  };
  const view = (): React.ReactElement => (
    <RunView run={run.run_id} snapshot={snapshot} onDetach={() => leave.abort('detached')} onCancel={onCancel} />
  );
  const screen = render(view(), { exitOnCtrlC: false });
  let waits = false;
  try {
    await watchSnapshots(door, run, signal, (next) => {
      snapshot = next;
      screen.rerender(view());
      waits = exitOnWait && next.status.state === 'waiting';
      if (waits) leave.abort('waits');
    });
  } finally {
    screen.unmount();
  }
  const problem = await cancelling;
  if (problem !== '') io.err(`sluice: ${problem}`);
  return signal.aborted && !waits ? sayDetached(io, run.run_id) : sayEnd(io, door, run.run_id);
}

/** @returns what went wrong, for the last words: the view itself shows whether the run stops */
async function cancel(door: Door, run: string, by: string): Promise<string> {
  try {
    const sent = await sendCommands(door, run, [{ command: 'cancel' }], { author: 'operator', by });
    return sent.ok ? '' : sent.refusal.message;
  } catch (error) {
    return `the run could not be asked to stop: ${messageOf(error)}`;
  }
}

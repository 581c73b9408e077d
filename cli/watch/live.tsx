// Runs the live view: feeds it with snapshots, carries out what the person chooses, and ends with the last words on plain lines.

import { render } from 'ink';
import type { Door } from '../../client/connect.js';
import { sendCommands } from '../../client/commands.js';
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
  let cancelling: Promise<unknown> = Promise.resolve();
  const onCancel = (): void => {
    cancelling = sendCommands(door, run.run_id, [{ command: 'cancel' }], { author: 'operator', by });
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
    await cancelling;
  } finally {
    screen.unmount();
  }
  return signal.aborted && !waits ? sayDetached(io, run.run_id) : sayEnd(io, door, run.run_id);
}

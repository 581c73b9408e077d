// The inbox: signal handlers only put inputs in; the run's one loop takes them out.

import { condition, setHandler } from '@temporalio/workflow';
import { readSignal } from '../model/read-signal.js';
import type { Input } from '../model/run/inputs.js';
import { attestSignal, cancelSignal, commandSignal, replySignal, reportSignal, subscribeSignal, upstreamSignal } from './messages.js';

export interface Inbox {
  put(input: Input): void;
  /** the next input, if there is one */
  take(): Input | undefined;
  /** resolves when there is one */
  wait(): Promise<void>;
  /** signals taken by this execution */
  signals(): number;
}

/** Opens the inbox and sets the signal handlers. `execution` tells ids of this execution from those of former ones. */
export function openInbox(execution: string): Inbox {
  const waiting: Input[] = [];
  let next = 0;
  let signals = 0;
  const take = (): Input | undefined => {
    const input = waiting[next++];
    if (input !== undefined) return input;
    waiting.length = 0;
    next = 0;
    return undefined;
  };
  const inbox: Inbox = {
    put: (input) => void waiting.push(input),
    take,
    wait: () => condition(() => next < waiting.length),
    signals: () => signals,
  };
  for (const [name, definition] of SIGNALS_OF_A_RUN) {
    setHandler(definition, (body: unknown) => inbox.put(readSignal(name, body, `signal/${execution}/${++signals}`)));
  }
  return inbox;
}

const SIGNALS_OF_A_RUN = [
  ['attest', attestSignal],
  ['reply', replySignal],
  ['cancel', cancelSignal],
  ['command', commandSignal],
  ['report', reportSignal],
  ['subscribe', subscribeSignal],
  ['upstream', upstreamSignal],
] as const;

// Tells the run what happens while a dispatch lasts: one `report` signal, in order, batched (run.md, Dispatches).
// It does not know what the facts mean, nor does it fail a dispatch because a report could not be sent.

import type { Client } from '@temporalio/client';
import { SIGNALS, type Fact, type Report } from '../../model/messages.js';
import { messageOf } from '../failures.js';

/** Facts of one second travel together: each signal is an event in the run's history. */
const BATCH_MS = 1_000;
/** A server that does not answer for so long is tried again with the next batch. */
const SEND_TIMEOUT_MS = 10_000;
/** Between tries while a server takes no signals: every dispatch of every worker waits for it. */
const MAX_RETRY_MS = 30_000;

export interface ReporterOptions {
  send(report: Report): Promise<void>;
  dispatch: string;
  attempt: number;
  /** nothing is sent before, except what is urgent; a dispatch that is shorter reports nothing, its result says it all */
  holdMs: number;
  /** the run does not exist any more */
  onGone(): void;
  log(line: string): void;
}

export class Reporter {
  readonly #options: ReporterOptions;
  readonly #opened = Date.now();
  #facts: Fact[] = [];
  /** sent but not known to have arrived: goes again as it was, so that the run can tell it by its number */
  #unsure: Report | undefined;
  #n = 0;
  /** tries in a row that failed */
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #closed = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** @param urgent goes at once, with everything before it */
  tell(fact: Fact, urgent = false): void {
    if (this.#closed) return;
    this.#facts.push(fact);
    this.#schedule(urgent ? 0 : Math.max(BATCH_MS, this.#opened + this.#options.holdMs - Date.now()));
  }

  /** What was not sent is left to the result; what is on its way is waited for, so that the run hears in order. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#sending;
  }

  #schedule(ms: number): void {
    if (this.#sending) return;
    if (this.#timer !== undefined && ms > 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), ms);
  }

  #flush(): void {
    this.#timer = undefined;
    this.#sending = this.#send().finally(() => {
      this.#sending = undefined;
      const more = this.#facts.length > 0 || this.#unsure !== undefined;
      if (more && !this.#closed) this.#schedule(Math.min(BATCH_MS * 2 ** Math.min(this.#failures, 10), MAX_RETRY_MS));
    });
  }

  async #send(): Promise<void> {
    const { send, dispatch, attempt, onGone, log } = this.#options;
    const report = (this.#unsure ??= { dispatch, attempt, n: ++this.#n, facts: this.#facts.splice(0) });
    try {
      await send(report);
      this.#unsure = undefined;
      this.#failures = 0;
    } catch (error) {
      if ((error as { name?: string }).name === 'WorkflowNotFoundError') {
        this.#closed = true;
        onGone();
        return;
      }
      this.#failures += 1;
      // once for a stretch of failures: the next tries say nothing new
      if (this.#failures === 1) log(`report ${report.n} of ${dispatch} was not taken, it goes again: ${messageOf(error)}`);
    }
  }
}

/**
 * Sends to the workflow that scheduled the activity. Not to one execution of it: the run may have continued as new.
 * The worker's client aborts its calls once the activity is cancelled, and just then there is something to tell: hence a signal of
 * its own for each call.
 */
export function signalSender(client: Client, workflowId: string): (report: Report) => Promise<void> {
  return (report) =>
    client.withAbortSignal(AbortSignal.timeout(SEND_TIMEOUT_MS), () =>
      client.workflow.getHandle(workflowId).signal(SIGNALS.report, report),
    );
}

// Ask, grace, kill: the one way in which a running tree comes to its end before it would by itself (run.md, Cancelling).
// It knows no Temporal and does not judge what the end means.

import type { Child } from '../process/process.js';

/** In rising order: a later word of these overrules an earlier one about what the end is called. */
const REASONS = ['result', 'quota', 'handover', 'timeout', 'cancel', 'gone'] as const;
export type StopReason = (typeof REASONS)[number];

type Stoppable = Pick<Child, 'stop' | 'kill'>;

export class Stopping {
  readonly #onAsk: (reason: StopReason) => void;
  #child: Stoppable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #deadline = Infinity;
  #over = false;
  #reason: StopReason | undefined;
  #killed = false;
  #said: string | undefined;

  /** @param onAsk called each time the end gets a (new) name */
  constructor(onAsk: (reason: StopReason) => void = () => undefined) {
    this.#onAsk = onAsk;
  }

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** Whether it obeyed or had to be killed, and the last it said after it was asked. */
  get outcome(): { how: 'stopped' | 'killed'; said?: string } {
    return { how: this.#killed ? 'killed' : 'stopped', ...(this.#said !== undefined && { said: this.#said }) };
  }

  /** The tree runs. It may have been asked to end while it was being started. */
  attach(child: Stoppable): void {
    this.#child = child;
    if (this.#reason !== undefined) this.#press();
  }

  /** Asks now and kills after `graceMs`; of several graces the one that ends first counts. */
  ask(reason: StopReason, graceMs: number): void {
    if (this.#over) return;
    const first = this.#reason === undefined;
    const renamed = first || REASONS.indexOf(reason) > REASONS.indexOf(this.#reason as StopReason);
    if (renamed) this.#reason = reason;
    this.#deadline = Math.min(this.#deadline, Date.now() + graceMs);
    if (first) this.#child?.stop();
    this.#arm();
    if (renamed) this.#onAsk(reason);
  }

  /** Asks after `waitMs`, unless it has ended by then. */
  askIn(waitMs: number, reason: StopReason, graceMs: number): void {
    this.#later ??= setTimeout(() => this.ask(reason, graceMs), waitMs);
  }

  /** Something it said; kept when it was asked to end before. */
  hear(words: string): void {
    if (this.#reason !== undefined && words.trim() !== '') this.#said = words;
  }

  /** The tree is gone. */
  ended(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#later);
  }

  #press(): void {
    this.#child?.stop();
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (!this.#child || this.#killed) return;
    const wait = this.#deadline - Date.now();
    if (wait <= 0) this.#kill();
    // a timer holds 24.8 days at most; graces beyond that are kept in steps
    else this.#timer = setTimeout(() => this.#arm(), Math.min(wait, 2_147_483_647));
  }

  #kill(): void {
    this.#killed = true;
    this.#child?.kill();
  }
}

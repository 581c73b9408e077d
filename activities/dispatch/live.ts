// One attempt while it runs: what its parts share, opened before the process and closed after it.
// It does not know agents from programs, but for who speaks up when.

import type { Context } from '@temporalio/activity';
import type { Progress } from '../../model/agent/attempts.js';
import type { Fact } from '../../model/messages.js';
import type { ActivityDeps } from '../deps.js';
import type { DispatchInput } from '../contract.js';
import { masker, type Masker } from '../process/mask.js';
import type { Child } from '../process/process.js';
import { startHeartbeat, type Heartbeat } from './heartbeat.js';
import { startQuietClock, type QuietClock } from './quiet.js';
import { Reporter, signalSender } from './reporter.js';
import { Scratch } from './scratch.js';
import type { Stopping } from './stopping.js';
import { Transcript } from './transcript.js';

/** A program that is through sooner needs no report of its start (run.md, Dispatches); an agent without a session tells it then. */
const STARTED_MS = 5_000;
/** Before a program's first heartbeat: most are through by then, and a cancel is heard no later than from a beat of the usual pace. */
const FIRST_BEAT_MS = 1_000;
/** Nobody waits for it any more: its whole tree is gone within 5 s (agents.md, One activity). */
export const GONE_MS = 3_000;

export interface LiveOptions {
  deps: ActivityDeps;
  context: Context;
  input: DispatchInput;
  stopping: Stopping;
  progress: Progress;
  project: string;
  dir: string;
  /** folder of private files, see `openScratch` */
  scratch: () => string;
  secrets: readonly string[];
}

export class Live {
  readonly deps: ActivityDeps;
  readonly input: DispatchInput;
  readonly stopping: Stopping;
  readonly project: string;
  readonly dir: string;
  readonly mask: Masker;
  readonly transcript: Transcript;
  readonly scratch: Scratch;
  readonly #heartbeat: Heartbeat;
  readonly #reporter: Reporter;
  readonly #quiet: QuietClock;
  #started: NodeJS.Timeout | undefined;
  #child: Child | undefined;
  #progress: Progress;

  constructor({ deps, context, input, stopping, progress, project, dir, scratch, secrets }: LiveOptions) {
    const agent = input.work.kind === 'agent';
    this.deps = deps;
    this.input = input;
    this.stopping = stopping;
    this.project = project;
    this.dir = dir;
    this.mask = masker(secrets);
    this.scratch = new Scratch(scratch);
    this.#progress = progress;
    this.transcript = new Transcript({ project, run: input.run, dispatch: input.id, attempt: progress.attempt, secrets });
    this.#heartbeat = startHeartbeat(
      (details) => context.heartbeat(details),
      () => this.#progress,
      agent ? 0 : FIRST_BEAT_MS,
      input.limits.heartbeatMs,
    );
    this.#reporter = this.#openReporter(context, agent ? 0 : STARTED_MS);
    this.#quiet = startQuietClock(input.limits.quietMs, {
      quiet: (sinceMs) => this.tell({ kind: 'quiet', at: now(), sinceMs }),
      lively: () => this.tell({ kind: 'lively', at: now() }),
    });
    this.#started = setTimeout(() => this.#tellStarted(), STARTED_MS);
  }

  get progress(): Progress {
    return this.#progress;
  }

  tell(fact: Fact, urgent = false): void {
    this.#reporter.tell(fact, urgent);
  }

  /** Anything the agent or program did itself. */
  lively(): void {
    this.#quiet.lively();
  }

  attach(child: Child): void {
    this.#child = child;
    if (this.#progress.session !== undefined || this.#progress.spoke) this.#note();
    this.stopping.attach(child);
  }

  /** Kept at once in the local record and in a heartbeat: the next attempt must know, should this worker die now. */
  learn(news: { session?: string; spoke?: boolean }): void {
    this.#progress = { ...this.#progress, ...news };
    this.#note();
    this.#heartbeat.beat();
    if (news.session !== undefined) this.#tellStarted();
  }

  /** The counters as the next attempt is to find them. */
  leave(progress: Progress): void {
    this.#progress = progress;
    this.#heartbeat.beat();
  }

  /** The process is gone: only what belongs to a running one stops. */
  async close(): Promise<void> {
    clearTimeout(this.#started);
    this.#quiet.stop();
    this.#heartbeat.stop();
    await this.#reporter.close();
    for (const left of this.scratch.remove()) this.deps.log(`left behind: ${left}`, { run: this.input.run, dispatch: this.input.id });
  }

  #note(): void {
    const { session, spoke } = this.#progress;
    this.#child?.note({ ...(session !== undefined && { session }), spoke });
  }

  #tellStarted(): void {
    if (this.#started === undefined) return;
    clearTimeout(this.#started);
    this.#started = undefined;
    const { session, host } = this.#progress;
    this.tell({ kind: 'started', at: now(), host, ...(session !== undefined && { session }) });
  }

  #openReporter(context: Context, holdMs: number): Reporter {
    const { id } = this.input;
    const { workflowExecution } = context.info;
    return new Reporter({
      // `client` is only there in a worker that has one: asked for with the first report
      send: async (report) => signalSender(context.client, workflowExecution?.workflowId ?? '')(report),
      dispatch: id,
      attempt: this.#progress.attempt,
      holdMs,
      onGone: () => this.stopping.ask('gone', GONE_MS),
      log: (line) => this.deps.log(line, { run: this.input.run, dispatch: id }),
    });
  }
}

export function now(): string {
  return new Date().toISOString();
}

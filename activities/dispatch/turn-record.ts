// Listens to one turn of an agent: lines in, facts out, logs and clocks fed on the way. It does not judge (model/agent/endings.ts).

import type { AgentEvent, QuotaHint } from '../../model/agent/events.js';
import type { ErrorEvent, Exit, ResultEvent, TurnFacts } from '../../model/agent/endings.js';
import type { UsageReading } from '../../model/agent/usage.js';
import type { Adapter, StreamReader } from '../agents/adapter.js';
import { messageOf } from '../failures.js';
import { LineSplitter, type Line } from '../process/lines.js';
import type { ChildHandlers } from '../process/process.js';
import type { Clocks } from './child.js';
import type { Live } from './live.js';
import type { OutputText } from './output.js';

/** A CLI that was refused by quota and only retries is given this long to say so itself; then the turn ends (agents.md, Adapters). */
const QUOTA_MS = 5_000;

export class TurnRecord {
  readonly #live: Live;
  readonly #mode: Adapter['mode'];
  readonly #reader: StreamReader;
  readonly #out: LineSplitter;
  readonly #err: LineSplitter;
  /** text mode: stdout is the message */
  readonly stdout: OutputText;
  readonly usage: UsageReading[] = [];
  #clocks: Clocks | undefined;
  #ready: Promise<void> | undefined;
  #spoke = false;
  #usedTool = false;
  #result: ResultEvent | undefined;
  #error: ErrorEvent | undefined;
  #quota: QuotaHint | undefined;
  #lastMessage: string | undefined;
  #lastStderr: string | undefined;
  #lastProgress: string | undefined;

  constructor(live: Live, adapter: Adapter, stdout: OutputText) {
    this.#live = live;
    this.#mode = adapter.mode;
    this.#reader = adapter.reader();
    this.stdout = stdout;
    this.#out = new LineSplitter({ onLine: (line) => this.#stdoutLine(line) });
    this.#err = new LineSplitter({ onLine: (line) => this.#stderrLine(line) });
  }

  handlers(clocks: Clocks): ChildHandlers {
    this.#clocks = clocks;
    return { stdout: (chunk) => this.#push(this.#out, chunk), stderr: (chunk) => this.#push(this.#err, chunk) };
  }

  /** The process is gone: last lines without newline, and what only its end tells. */
  end(exit: Exit): TurnFacts {
    this.#out.end();
    this.#err.end();
    this.#take(() => this.#reader.end?.(exit) ?? []);
    return {
      mode: this.#mode,
      spoke: this.#spoke,
      usedTool: this.#usedTool,
      exit,
      ...(this.#result && { result: this.#result }),
      ...(this.#error && { error: this.#error }),
      ...(this.#quota && { quota: this.#quota }),
      ...(this.#lastMessage !== undefined && { lastMessage: this.#lastMessage }),
      ...(this.#lastStderr !== undefined && { lastStderr: this.#lastStderr }),
    };
  }

  /** @returns a promise while the disk is behind: the child waits, and memory stays bounded (case O-09) */
  #push(lines: LineSplitter, chunk: Buffer): void | Promise<void> {
    this.#ready = undefined;
    if (this.#mode === 'text' && lines === this.#out) this.#speak();
    lines.push(chunk);
    return this.#ready;
  }

  #stdoutLine(line: Line): void {
    this.#ready = this.#live.transcript.line(line);
    this.#take(() => this.#reader.stdout(line.line));
    if (this.#mode !== 'text') return;
    this.#live.lively();
    this.#live.stopping.hear(line.line);
    const spilled = this.stdout.line(line.line);
    if (spilled) this.#ready = Promise.all([this.#ready, spilled]).then(() => undefined);
  }

  #stderrLine(line: Line): void {
    this.#ready = this.#live.transcript.line(line);
    if (line.line.trim() !== '') this.#lastStderr = line.line;
    this.#take(() => this.#reader.stderr(line.line));
  }

  #take(read: () => readonly AgentEvent[]): void {
    for (const event of this.#guarded(read)) {
      void this.#live.transcript.event(event);
      if (this.#isProgress(event)) this.#live.lively();
      this.#apply(event);
    }
  }

  /** One line that its adapter stumbles over must not cost the lines after it. */
  #guarded(read: () => readonly AgentEvent[]): readonly AgentEvent[] {
    try {
      return read();
    } catch (error) {
      this.#live.deps.log(`the adapter of ${this.#live.input.run}/${this.#live.input.id} failed on a line: ${messageOf(error)}`);
      return [];
    }
  }

  #apply(event: AgentEvent): void {
    switch (event.kind) {
      case 'session':
        return this.#live.progress.session === event.id ? undefined : this.#live.learn({ session: event.id });
      case 'message':
        return this.#message(event.text);
      case 'tool':
        this.#usedTool = true;
        return this.#speak();
      case 'usage':
        this.usage.push({ usage: event.usage, cumulative: event.cumulative });
        return;
      case 'quota':
        this.#quota = event.quota;
        return this.#live.stopping.askIn(QUOTA_MS, 'quota', QUOTA_MS);
      case 'error':
        if (!refusesLogin(this.#error)) this.#error = event;
        return;
      case 'result':
        return this.#ended(event);
      case 'progress':
        return;
      default:
        return event satisfies never;
    }
  }

  #message(text: string): void {
    this.#lastMessage = text;
    this.#live.stopping.hear(text);
    this.#speak();
  }

  #ended(result: ResultEvent): void {
    this.#result = result;
    if (result.ok) this.#speak();
    this.#clocks?.resultSeen();
  }

  #speak(): void {
    if (this.#spoke) return;
    this.#spoke = true;
    this.#live.lively();
    if (!this.#live.progress.spoke) this.#live.learn({ spoke: true });
  }

  /** A notice that repeats itself, or says nothing, is a keep-alive (run.md, Quiet workers). */
  #isProgress(event: AgentEvent): boolean {
    if (event.kind !== 'progress') return true;
    const said = event.text !== undefined && event.text !== this.#lastProgress;
    this.#lastProgress = event.text;
    return said;
  }
}

function refusesLogin(error: ErrorEvent | undefined): boolean {
  return error?.fault === 'login' || error?.fault === 'billing';
}

// The two logs of one attempt: everything it printed, and what was read out of it (agents.md, Processes).
// Files are made with the first line. That a log cannot be written never ends the work; it is said once.

import type { AgentEvent } from '../../model/agent/events.js';
import { logName } from '../../model/ids.js';
import { runPaths } from '../../model/paths.js';
import { excerpt } from '../agents/excerpt.js';
import type { Line } from '../process/lines.js';
import { LogFile } from '../process/log-file.js';

/** Above what built-in adapters relay (agents/excerpt.ts), so that their cut, which tells the whole size, is not cut again. */
const MAX_RELAYED_CHARS = 8_192;

export interface TranscriptOptions {
  project: string;
  run: string;
  dispatch: string;
  attempt: number;
  secrets: readonly string[];
}

export class Transcript {
  /** file name below the run's `logs/` */
  readonly name: string;
  readonly #log: LogFile;
  readonly #stream: LogFile;
  #empty = true;

  constructor({ project, run, dispatch, attempt, secrets }: TranscriptOptions) {
    this.name = logName(dispatch, attempt);
    const path = `${runPaths(project, run).logs}/${this.name}`;
    this.#log = new LogFile({ path, secrets });
    this.#stream = new LogFile({ path: path.replace(/\.log$/, '.ndjson'), secrets });
  }

  /** The log's name once something is in it. */
  get written(): string | undefined {
    return this.#empty ? undefined : this.name;
  }

  /** @returns settles when the disk can take more */
  line({ line, cutBytes }: Line): Promise<void> {
    this.#empty = false;
    return this.#log.line(cutBytes === 0 ? line : `${line}… [cut ${cutBytes} bytes]`);
  }

  /** What an adapter read, bounded: the whole is in the log (case O-09). */
  event(event: AgentEvent): Promise<void> {
    return this.#stream.line(JSON.stringify({ ts: new Date().toISOString(), ...bounded(event) }));
  }

  /** @returns what is to be said in the dispatch's detail */
  async close(): Promise<string[]> {
    if (this.#empty) return [];
    const [log, stream] = await Promise.all([this.#log.close(), this.#stream.close()]);
    const failure = log.failure ?? stream.failure;
    if (failure) return [`its log could not be written (${failure.code})`];
    return log.droppedBytes > 0 ? [`${log.droppedBytes} bytes of its log were rotated away`] : [];
  }
}

function bounded(event: AgentEvent): AgentEvent {
  switch (event.kind) {
    case 'message':
      return { ...event, text: excerpt(event.text, MAX_RELAYED_CHARS) };
    case 'tool':
    case 'progress':
    case 'result':
      return event.text === undefined ? event : { ...event, text: excerpt(event.text, MAX_RELAYED_CHARS) };
    case 'error':
      return { ...event, message: excerpt(event.message, MAX_RELAYED_CHARS) };
    case 'session':
    case 'usage':
    case 'quota':
      return event;
    default:
      return event satisfies never;
  }
}

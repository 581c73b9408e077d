// The output of a dispatch: at most 16 KiB in Temporal, the whole of a longer one as an artifact (case O-44).
// Secrets are taken out of both. It does not know whether the text is a message or a program's stdout.

import { logName } from '../../model/ids.js';
import { runPaths } from '../../model/paths.js';
import { cutText, utf8Length } from '../../model/text.js';
import { LogFile } from '../process/log-file.js';
import type { Masker } from '../process/mask.js';

/** operations.md, Payloads. */
export const MAX_OUTPUT_BYTES = 16_384;
/** An artifact is for reading: a program that prints without end must not fill the disk twice. */
const MAX_ARTIFACT_BYTES = 64 * 1024 * 1024;

export interface Output {
  text: string;
  /** file name below the run's `artifacts/` */
  artifact?: string;
  notes: string[];
}

export interface OutputTarget {
  project: string;
  run: string;
  dispatch: string;
  attempt: number;
  mask: Masker;
}

/** Gathers an output line by line; memory holds little more than what Temporal is given. */
export class OutputText {
  readonly #target: OutputTarget;
  readonly #name: string;
  #head: string[] = [];
  #bytes = 0;
  #file: LogFile | undefined;

  constructor(target: OutputTarget) {
    this.#target = target;
    this.#name = logName(target.dispatch, target.attempt).replace(/\.log$/, '.output.txt');
  }

  /** @returns settles when the disk can take more */
  line(text: string): Promise<void> | undefined {
    const line = this.#target.mask(text);
    const before = this.#bytes;
    this.#bytes += utf8Length(line) + 1;
    if (before <= MAX_OUTPUT_BYTES) this.#head.push(line);
    if (this.#bytes <= MAX_OUTPUT_BYTES + 1) return undefined;
    if (before > MAX_ARTIFACT_BYTES) return undefined;
    return this.#spill(line);
  }

  async finish(): Promise<Output> {
    const text = cutText(this.#head.join('\n'), MAX_OUTPUT_BYTES);
    if (!this.#file) return { text, notes: [] };
    const { failure } = await this.#file.close();
    if (failure)
      return { text, notes: [`its output of ${this.#bytes} bytes was cut, and the whole could not be written (${failure.code})`] };
    const more = this.#bytes > MAX_ARTIFACT_BYTES ? `, of which the artifact has about ${MAX_ARTIFACT_BYTES}` : '';
    return { text, artifact: this.#name, notes: [`its output of ${this.#bytes} bytes was cut${more}`] };
  }

  #spill(line: string): Promise<void> {
    if (this.#file) return this.#file.line(line);
    const { project, run } = this.#target;
    this.#file = new LogFile({ path: `${runPaths(project, run).artifacts}/${this.#name}`, maxBytes: Infinity });
    return this.#file.line(this.#head.join('\n'));
  }
}

/** The same for a text that is there at once. */
export async function outputOf(text: string, target: OutputTarget): Promise<Output> {
  const output = new OutputText(target);
  await output.line(text);
  return output.finish();
}

// Runs one program and says how it ended. It does not know Temporal, nor whether the program is asked again.

import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { judgeProgram } from '../../model/agent/endings.js';
import { programEnvironment } from '../agents/environment.js';
import type { ProgramWork } from '../contract.js';
import { codeOf } from '../failures.js';
import { LineSplitter, type Line } from '../process/lines.js';
import type { ChildHandlers } from '../process/process.js';
import { notStartedWords, runChild } from './child.js';
import { leftoverNote, type Ended } from './ended.js';
import type { Live } from './live.js';
import { outputOf, OutputText, type OutputTarget } from './output.js';
import { isInside } from './place.js';
import { inputsFile, sluiceEnv } from './surroundings.js';

/** What an output file may hold at most: it passes through memory to have its secrets taken out. */
const MAX_OUTPUT_FILE_BYTES = 64 * 1024 * 1024;

export async function runProgram(live: Live, work: ProgramWork): Promise<Ended> {
  // a script is bash's, strict: a step that fails in its middle must not pass for success (plan.md)
  const argv = work.argv ?? ['bash', '-euo', 'pipefail', '-c', work.script ?? ''];
  const env = { ...programEnvironment(live.deps.env, work.env), ...sluiceEnv(live, inputsFile(live)) };
  const { input, progress, project, mask } = live;
  const target: OutputTarget = { project, run: input.run, dispatch: input.id, attempt: progress.attempt, mask };
  const stdout = new OutputText(target);
  const listener = new ProgramListener(live, stdout);
  const end = await runChild(live, { argv, env, stopSignal: 'SIGTERM', stdin: 'ignore' }, () => listener.handlers);
  if (end.kind === 'unwanted') return { ending: { kind: 'not-started', reason: 'it was ended before it started' } };
  if (end.kind === 'guard-died') return { ending: { kind: 'not-started', reason: 'its guard died' }, guardDied: true };
  if (end.kind === 'not-started') return { ending: { kind: 'not-started', reason: notStartedWords(argv, end.failure) } };
  const lastStderr = listener.end();
  const ended: Ended = { exit: end.exit, ending: judgeProgram(end.exit, work.okCodes, lastStderr), notes: leftoverNote(end.exit) };
  const printed = await stdout.finish();
  if (work.outputFile === undefined || ended.ending.kind !== 'done') return withOutput(ended, printed);
  return fromFile(live, work.outputFile, ended, target);
}

function withOutput(ended: Ended, output: NonNullable<Ended['output']>): Ended {
  return { ...ended, output, notes: [...output.notes, ...(ended.notes ?? [])] };
}

/** The file's content instead of stdout. One that is not there, or not the project's, is no output. */
async function fromFile(live: Live, file: string, ended: Ended, target: OutputTarget): Promise<Ended> {
  const text = await readOutput(live, file);
  if (text.ok) return withOutput(ended, await outputOf(text.text, target));
  return { ...ended, ending: { kind: 'failed', outcome: 'output-refused', detail: `outputFile ${file}: ${text.reason}` } };
}

async function readOutput(live: Live, file: string): Promise<{ ok: true; text: string } | { ok: false; reason: string }> {
  try {
    const [root, path] = await Promise.all([realpath(live.project), realpath(resolve(live.dir, file))]);
    if (!isInside(root, path)) return { ok: false, reason: 'is outside the project' };
    const { size } = await stat(path);
    if (size > MAX_OUTPUT_FILE_BYTES) return { ok: false, reason: `has ${size} bytes, over the limit of ${MAX_OUTPUT_FILE_BYTES}` };
    // one newline at the end belongs to the file, as it does to stdout
    return { ok: true, text: (await readFile(path, 'utf8')).replace(/\n$/, '') };
  } catch (error) {
    return { ok: false, reason: `cannot be read (${codeOf(error) ?? String(error)})` };
  }
}

/** Both streams go to the log; stdout is the output, and the last line of stderr explains a failure. */
class ProgramListener {
  readonly handlers: ChildHandlers;
  readonly #live: Live;
  readonly #stdout: OutputText;
  readonly #out: LineSplitter;
  readonly #err: LineSplitter;
  #ready: Promise<void> | undefined;
  #lastStderr: string | undefined;

  constructor(live: Live, stdout: OutputText) {
    this.#live = live;
    this.#stdout = stdout;
    this.#out = new LineSplitter({ onLine: (line) => this.#line(line, true) });
    this.#err = new LineSplitter({ onLine: (line) => this.#line(line, false) });
    this.handlers = { stdout: (chunk) => this.#push(this.#out, chunk), stderr: (chunk) => this.#push(this.#err, chunk) };
  }

  /** @returns the last line of stderr that says something */
  end(): string | undefined {
    this.#out.end();
    this.#err.end();
    return this.#lastStderr;
  }

  /** @returns a promise while the disk is behind: then the program waits */
  #push(lines: LineSplitter, chunk: Buffer): void | Promise<void> {
    this.#live.lively();
    this.#ready = undefined;
    lines.push(chunk);
    return this.#ready;
  }

  #line(line: Line, isOutput: boolean): void {
    const logged = this.#live.transcript.line(line);
    this.#live.stopping.hear(line.line);
    const spilled = isOutput ? this.#stdout.line(line.line) : undefined;
    if (!isOutput && line.line.trim() !== '') this.#lastStderr = line.line;
    this.#ready = spilled ? Promise.all([logged, spilled]).then(() => undefined) : logged;
  }
}

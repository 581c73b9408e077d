#!/usr/bin/env node
// The one place that exits. Makes the Io of this process, parses, runs one command, and turns what comes back into an exit code.

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { EXIT, exitCodeOfSignal } from '../model/errors.js';
import type { Args, CommandSpec } from './command-spec.js';
import type { Io } from './io.js';
import { buildProgram, exitCodeOfParse, type Globals } from './program.js';

/** 80 is what terminals have been since punch cards; pipes get room, so that nothing is cut that a program may want. */
const WIDTH = { terminal: 80, pipe: 4_000 };

let exitCode: number = EXIT.ok;

async function main(): Promise<number> {
  // `sluice events | head`: the reader has gone, which is no error of ours
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.incomplete));
  const program = buildProgram(call, {
    version: version(),
    write: { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) },
  });
  if (process.argv.length <= 2) {
    program.outputHelp();
    return EXIT.usage;
  }
  try {
    await program.parseAsync(process.argv);
    return exitCode;
  } catch (error) {
    const parse = exitCodeOfParse(error);
    if (parse !== undefined) return parse;
    return fail(error);
  }
}

async function call(spec: CommandSpec, args: Args, globals: Globals): Promise<void> {
  if (process.platform === 'win32') {
    process.stderr.write('sluice: Windows is not supported; use Linux, macOS or WSL\n');
    exitCode = EXIT.usage;
    return;
  }
  const command = await spec.load();
  exitCode = await command.run(args, makeIo(globals, spec.lasts === true ? stopSignal() : new AbortController().signal));
}

/** The first SIGINT or SIGTERM is the command's to answer; a second one ends the process where it stands. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (stop.signal.aborted) process.exit(exitCodeOfSignal(name));
    stop.abort(name);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return stop.signal;
}

function makeIo(globals: Globals, signal: AbortSignal): Io {
  const tty = process.stdin.isTTY && process.stdout.isTTY;
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    ...globals,
    env: process.env,
    cwd: process.cwd(),
    home: process.env.HOME || homedir(),
    tty,
    columns: process.stdout.isTTY ? process.stdout.columns || WIDTH.terminal : WIDTH.pipe,
    colour: process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
    signal,
  };
}

/** What was thrown: a broken connection is told as one, everything else is a defect. */
async function fail(error: unknown): Promise<number> {
  const { refusalOf } = await import('../client/failures.js');
  const { refuse } = await import('./refuse.js');
  const globals = {
    json: process.argv.includes('--json'),
    quiet: false,
    verbose: process.argv.includes('--verbose') || process.argv.includes('-v'),
  };
  const known = refusalOf(error);
  const { message, stack } = error as { message?: string; stack?: string };
  const refusal = known ?? { code: 'defect' as const, message: `a defect of Sluice: ${message ?? String(error)}`, cause: stack };
  return refuse(makeIo(globals, new AbortController().signal), { ...refusal, cause: refusal.cause ?? stack });
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Pipes may be written behind our back: what was printed is out before the process ends. */
async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength > 0) await new Promise<void>((resolve) => stream.write('', () => resolve()));
}

const code = await main();
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
process.exit(code);

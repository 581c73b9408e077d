// Builds the command line from the specs. Knows no command's work: a command's module is loaded when it is called.

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Args, CommandSpec, OptionSpec } from './command-spec.js';
import { COMMANDS } from './specs/index.js';

export interface Globals {
  json: boolean;
  quiet: boolean;
  verbose: boolean;
}

/** Called with what was parsed; the command has not been loaded yet. */
export type Runner = (spec: CommandSpec, args: Args, globals: Globals) => Promise<void>;

export interface ProgramOptions {
  version: string;
  /** help and usage errors are written here */
  write: { out: (text: string) => void; err: (text: string) => void };
}

/**
 * The whole command line. Parsing throws commander's `CommanderError` instead of exiting; `exitCodeOfParse` reads it.
 * Typos get "did you mean" from commander.
 */
export function buildProgram(runner: Runner, { version, write }: ProgramOptions): Command {
  const program = new Command('sluice')
    .description('Runs graphs of coding-agent work durably on Temporal.')
    .version(version)
    .option('--json', 'one JSON document on stdout (events: one a line)')
    .option('-q, --quiet', 'only results and refusals')
    .option('-v, --verbose', 'the cause below an error')
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: write.out, writeErr: write.err, outputError: (text, out) => out(text.replace(/^error: /, 'sluice: ')) })
    .exitOverride();
  for (const spec of COMMANDS) addCommand(program, spec, runner);
  return program;
}

/** 0 for help and version, 2 for everything that could not be parsed; undefined when it is no parse error. */
export function exitCodeOfParse(error: unknown): number | undefined {
  if (!(error instanceof CommanderError)) return undefined;
  return error.exitCode === 0 ? 0 : 2;
}

function addCommand(program: Command, spec: CommandSpec, runner: Runner): void {
  const command = program.command(spec.name).description(spec.text);
  for (const argument of spec.args ?? []) command.argument(argument);
  for (const option of spec.options ?? []) addOption(command, option);
  command.action(async () => {
    const { json, quiet, verbose } = program.opts<Partial<Globals>>();
    const args = { ...namedArguments(spec, command), ...command.opts() };
    await runner(spec, args, { json: json === true, quiet: quiet === true, verbose: verbose === true });
  });
}

function addOption(command: Command, { flags, text, many, count, hidden }: OptionSpec): void {
  const option = new Option(flags, text);
  if (many === true) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  if (count === true) option.argParser(wholeNumber);
  command.addOption(option.hideHelp(hidden === true));
}

function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('Give a whole number.');
  return Number(value);
}

/** `[run]` becomes `run`, `<text...>` becomes `text` with a list. */
function namedArguments(spec: CommandSpec, command: Command): Args {
  return Object.fromEntries((spec.args ?? []).map((argument, index) => [argument.replace(/[<>[\].]/g, ''), command.processedArgs[index]]));
}

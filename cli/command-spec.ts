// What is said about a command before it is loaded: enough for help, parsing and completion, cheap enough for 150 ms.

import type { Io } from './io.js';

/** Arguments and options of one call by their camelCase names; each command names the ones it takes. */
export type Args = Readonly<Record<string, unknown>>;

export interface CommandModule {
  run(args: Args, io: Io): Promise<number>;
}

export interface OptionSpec {
  /** as commander writes it: `--input <k=v>`, `-f, --follow` */
  flags: string;
  text: string;
  /** may be given more than once; the value is then a list */
  many?: boolean;
  /** a whole number */
  count?: boolean;
  /** for one command to call another; not in the help */
  hidden?: boolean;
}

export interface CommandSpec {
  name: string;
  /** as commander writes them: `<plan>`, `[run]`, `<text...>` */
  args?: string[];
  text: string;
  options?: OptionSpec[];
  /** what completes the arguments: runs, nodes are not known to a shell */
  completes?: 'files';
  /** ends in its own way when it is interrupted, by `io.signal`; others just end */
  lasts?: true;
  load(): Promise<CommandModule>;
}

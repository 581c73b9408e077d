// What every command is given instead of the process: lines out, lines to stderr, and the facts about the terminal.
// Commands never touch process.stdout, process.env or process.exit themselves; main.ts makes this once.

export interface Io {
  /** one line to stdout, without its line end */
  out(line: string): void;
  /** one line to stderr, without its line end */
  err(line: string): void;
  /** `--json`: one JSON document on stdout (events as NDJSON), nothing else there */
  json: boolean;
  /** `--quiet`: only results and refusals */
  quiet: boolean;
  /** `--verbose`: the cause below an error's one line */
  verbose: boolean;
  env: NodeJS.ProcessEnv;
  /** where the command was called, absolute */
  cwd: string;
  /** the user's home folder, absolute */
  home: string;
  /** stdin and stdout are terminals */
  tty: boolean;
  /** width of the terminal, 80 when unknown */
  columns: number;
  /** true on a terminal without NO_COLOR */
  colour: boolean;
  /** aborted by the first SIGINT or SIGTERM; `signal.reason` is the signal's name */
  signal: AbortSignal;
}

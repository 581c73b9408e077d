// The one list of refusal codes and the exit codes they become (people.md, CLI). Refusals are values; only defects are thrown.
// Pure: who prints and who exits is cli/main.ts's business.

/** Exit codes of the program. */
export const EXIT = { ok: 0, incomplete: 1, usage: 2, unreachable: 3, refused: 4, interrupted: 130, terminated: 143 } as const;

/** Why something was not done, each with the exit code it ends in. */
export const REFUSALS = {
  /** the run is not complete (failed, waiting, still running) */
  incomplete: EXIT.incomplete,
  /** Temporal answers, but no worker does */
  'no-worker': EXIT.incomplete,
  /** what was asked for is not on this machine, or no longer kept */
  'not-here': EXIT.incomplete,
  /** a fault of Sluice itself */
  defect: EXIT.incomplete,
  usage: EXIT.usage,
  /** no such run, node, file */
  'not-found': EXIT.usage,
  'plan-refused': EXIT.usage,
  config: EXIT.usage,
  /** the project or state folder cannot be written or read */
  disk: EXIT.usage,
  /** over a limit of the server, told before anything was sent */
  'too-large': EXIT.usage,
  /** this build does not run that yet */
  'not-yet': EXIT.usage,
  unreachable: EXIT.unreachable,
  /** a command that the run, or the rules of who may say what, refused */
  refused: EXIT.refused,
} as const;
export type RefusalCode = keyof typeof REFUSALS;

export interface Refusal {
  code: RefusalCode;
  /** one line: what, where, and what to do */
  message: string;
  /** what lay beneath, shown with --verbose */
  cause?: string;
}

/** What came of a try that may be refused. */
export type Tried<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

export function done<T>(value: T): Tried<T> {
  return { ok: true, value };
}

export function refused(code: RefusalCode, message: string, cause?: string): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: cause === undefined ? { code, message } : { code, message, cause } };
}

export function exitCodeOf(code: RefusalCode): number {
  return REFUSALS[code];
}

/** 128 + the signal's number, as shells have it. */
export function exitCodeOfSignal(signal: string): number {
  return signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
}

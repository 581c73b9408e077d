// Every id of the engine is made here, so that deduplication has one spelling.
// Pure: the random part of a run id is handed in.

/** Ids of nodes, steps and runs. Not with `..`, a final `.` or `.lock`: they become names of files and refs. */
export const ID_PATTERN = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,63})$/;

/** Keys that JavaScript objects treat specially; never an id. */
export const FORBIDDEN_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** True when `id` may name a node, step, run or host. */
export function isId(id: string): boolean {
  return ID_PATTERN.test(id) && !id.includes('..') && !id.endsWith('.') && !id.endsWith('.lock') && !FORBIDDEN_KEYS.includes(id);
}

/** Workflow id of a run. */
export function runWorkflowId(run: string): string {
  return `run/${run}`;
}

/**
 * `<plan name>-<four of a-z0-9>`, e.g. `add-login-3f9k`.
 * @param draw four numbers in [0, 1)
 */
export function runId(name: string, draw: readonly number[]): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const tail = draw.map((d) => letters[Math.floor(d * letters.length)]).join('');
  return `${name.slice(0, 64 - tail.length - 1)}-${tail}`;
}

/** A dispatch: `<node>[@<step>]#<n>`; unique in its run, the key of reports, local records and activity ids. */
export function dispatchId(node: string, n: number, step?: string): string {
  return `${node}${step === undefined ? '' : `@${step}`}#${n}`;
}

/** Name of the log of one attempt: `<node>[@<step>].<n>.<attempt>.log` below `.sluice/runs/<run>/logs/`. */
export function logName(dispatch: string, attempt: number): string {
  return `${dispatch.replace('#', '.')}.${attempt}.log`;
}

/** Task queues of a fleet (operations.md, Workers; docs/adr/0003 says why programs have queues of their own). */
export const queues = {
  /** workflows, and bookkeeping that needs no disk */
  main: (fleet: string) => fleet,
  /** journal, notes, reads of one host: never held up by programs */
  host: (fleet: string, host: string) => `${fleet}/host/${host}`,
  /** programs of runs whose home is this host */
  hostPrograms: (fleet: string, host: string) => `${fleet}/host/${host}/programs`,
  /** agents of runs whose home is this host, and sessions continued here */
  hostAgents: (fleet: string, host: string) => `${fleet}/host/${host}/agents`,
  /** programs and agents of runs without a home */
  programs: (fleet: string) => `${fleet}/programs`,
  agents: (fleet: string) => `${fleet}/agents`,
  executor: (fleet: string, name: string) => `${fleet}/x/${name}`,
} as const;

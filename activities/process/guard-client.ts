// `Processes` for a worker: keeps a guard running and starts everything through it.
// It does not know what is started, nor why.

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GuardLink } from './guard-link.js';
import type { GuardOptions } from './guard-process.js';
import type { Child, ChildHandlers, LocalRecord, Processes, SpawnFailure, SpawnSpec } from './process.js';
import { readRecord, recordPath } from './records.js';

export interface ProcessesOptions {
  /** the user's state folder (model/paths.ts `stateDir`); local records lie below it */
  stateDir: string;
  /** the built guard.js; by default the one beside this file */
  guardPath?: string;
  /** where the guard's PATH, HOME, TZ and TMPDIR come from; by default the worker's environment */
  env?: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/**
 * Starts a guard and answers when it serves. Should it die, the next spawn starts another one (agents.md, Processes).
 * @throws when the guard cannot be started
 */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const { stateDir, guardPath = fileURLToPath(new URL('./guard.js', import.meta.url)), env = process.env, log } = options;
  const processes = new GuardedProcesses({ stateDir: resolve(stateDir), guardPath, env, log });
  await processes.link();
  return processes;
}

class GuardedProcesses implements Processes {
  readonly #options: GuardOptions;
  #link: Promise<GuardLink> | undefined;
  /** guards that died and whose trees are being ended */
  readonly #ending = new Set<Promise<void>>();
  #closed = false;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** The live guard; a new one when there is none. */
  link(): Promise<GuardLink> {
    this.#link ??= this.#start();
    return this.#link;
  }

  async spawn(spec: SpawnSpec, handlers: ChildHandlers): Promise<Child | SpawnFailure> {
    if (this.#closed) throw new Error(`${spec.key}: this worker's processes are closed, nothing can be started`);
    return (await this.link()).spawn(spec, handlers);
  }

  async record(run: string, dispatch: string): Promise<LocalRecord | undefined> {
    const link = await this.#link?.catch(() => undefined);
    if (link?.hasReadExit(`${run}/${dispatch}`)) return undefined;
    try {
      return readRecord(recordPath(this.#options.stateDir, run, dispatch));
    } catch (error) {
      // an attempt without its record starts anew: better than one that never starts
      this.#options.log((error as Error).message);
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    // a guard that could not be started has nothing to end
    const link = await this.#link?.catch(() => undefined);
    await link?.close();
    await Promise.all(this.#ending);
  }

  #start(): Promise<GuardLink> {
    const starting = GuardLink.start(this.#options);
    const forget = (): void => {
      if (this.#link === starting) this.#link = undefined;
    };
    starting.then((link) => {
      const ending = link.ended.finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
      void link.died.then(forget);
    }, forget);
    return starting;
  }
}

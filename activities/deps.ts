// What the activities need of the worker that hosts them. Types only; workers/build.ts fills them in.

import type { Config } from '../model/config.js';
import type { ProjectRef } from './contract.js';
import type { Processes } from './process/process.js';

export interface ActivityDeps {
  /** this host's id */
  host: string;
  /** the user's state folder, absolute */
  stateDir: string;
  processes: Processes;
  /** the project's configuration; asked for by every dispatch, so that it must be cheap when nothing changed */
  config(projectDir: string): Promise<Config>;
  /** the worker's environment, of which agents and programs get a part */
  env: NodeJS.ProcessEnv;
  /** the project's folder on this host, or undefined when it is not here */
  projectDir(ref: ProjectRef): Promise<string | undefined>;
  /** what a turn gets to stop when the worker shuts down, ms */
  shutdownGraceMs: number;
  log(line: string, fields?: Record<string, unknown>): void;
}

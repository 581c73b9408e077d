// What a pair is told when it starts. Types only.

import type { OnProgress } from '../../temporal-dev/progress.js';
import type { DevInfo } from './dev-info.js';

/** What the pair needs of workers/build.ts. */
export type StartWorkers = (options: {
  address: string;
  namespace: string;
  stateDir: string;
  fleet: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  log(line: string): void;
}) => Promise<{ host: string; done: Promise<void>; shutdown(): Promise<void> }>;

export interface PairOptions {
  /** the user's state and cache folders, absolute */
  stateDir: string;
  cacheDir: string;
  env: NodeJS.ProcessEnv;
  mode: DevInfo['mode'];
  /** the database is in memory */
  ephemeral?: boolean;
  /** this port or a refusal; default 7233, another if taken */
  port?: number | undefined;
  /** ends the pair in good order when aborted */
  signal: AbortSignal;
  startWorkers: StartWorkers;
  /** called when the workers poll, and again when the server was started anew */
  onReady(info: DevInfo): void;
  /** lines for the person who runs it */
  say(line: string): void;
  /** warnings and faults */
  log(line: string): void;
  onProgress?: OnProgress | undefined;
  /** tests only: another download service */
  releaseUrl?: string | undefined;
}

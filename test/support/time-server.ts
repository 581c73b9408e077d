// Temporal's time-skipping server for tests of hours and days: its time is moved by hand. What it cannot do, and tests must go round:
// list runs and describe queues (no `sluice run`, `list`, `waiting`: time-home.ts starts runs; commands with a whole run id work); give
// the tasks of a run to another worker than the one that had the last (that one must stay); skip while an activity waits for a worker
// (time-unattended.ts). An activity that a run leaves behind at its end holds the time for ever: such a test needs a server of its own.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { endProcess, identify, isRunning } from '../../temporal-dev/process-identity.js';
import { createDataConverter } from '../../workers/codec/index.js';
import { quietRuntime } from './quiet-runtime.js';
import { record, sweep } from './test-servers.mjs';

/** In ms, as the server counts. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface TimeServer {
  /** host:port, for workers, `openServer` and the CLI */
  address: string;
  /** its `result()` lets time run until the workflow has ended; everywhere else time passes as on a clock until `pass` is called */
  client: Client;
  /** the server's time, ms since the epoch */
  now(): Promise<number>;
  /**
   * Lets `ms` of the server's time pass, in moments: every timer within falls. While a workflow task or an activity is under way time goes
   * by the clock, and so it does for activities that no worker takes: see `passUnattended` (time-unattended.ts).
   */
  pass(ms: number): Promise<void>;
  /** Leaps by `ms` over `activities` that are scheduled and that nobody takes; nothing else may fall due within. */
  leap(ms: number, activities: number): Promise<void>;
  close(): Promise<void>;
}

const jars = process.env.SLUICE_TEST_TIME_JARS;

/** `describe` where the server can run; elsewhere its tests are skipped, with the reason in their names. */
export function describeInTime(name: string, tests: () => void): void {
  if (jars) return describe(name, tests);
  describe.skip(`${name} (skipped: ${process.env.SLUICE_TEST_TIME_MISSING ?? 'run by `npm run test:time`'})`, tests);
}

/** Starts a server of its own: time is one for all that a server holds. About 2 s. */
export async function openTimeServer(): Promise<TimeServer> {
  quietRuntime();
  await sweep({ isRunning, endProcess });
  const dir = await mkdtemp(join(tmpdir(), 'sluice-time-'));
  const { launcher, pidFile } = await writeLauncher(dir);
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: launcher } },
    client: { dataConverter: createDataConverter({}) },
  });
  const forget = await remember(pidFile);
  return {
    address: env.address,
    client: env.client,
    now: () => env.currentTimeMs(),
    pass: (ms) => env.sleep(ms),
    leap: (ms, activities) => leap(env, ms, activities),
    close: async () => {
      await env.teardown();
      forget();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

// the server counts what holds its time: itself one, and one for each activity that has not ended
async function leap(env: TestWorkflowEnvironment, ms: number, activities: number): Promise<void> {
  const service = env.connection.testService;
  if (!service) throw new Error('the time-skipping server offers no test service');
  for (let i = 0; i < activities; i++) await service.unlockTimeSkipping({});
  await env.sleep(ms);
  for (let i = 0; i < activities; i++) await service.lockTimeSkipping({});
}

/** The SDK starts one program and ends it; that is java itself (`exec`), so that its pid is the one written down. */
async function writeLauncher(dir: string): Promise<{ launcher: string; pidFile: string }> {
  if (!jars) throw new Error('SLUICE_TEST_TIME_JARS is not set: run by `npm run test:time`');
  const [launcher, pidFile] = [join(dir, 'test-server'), join(dir, 'pid')];
  // a small heap, one collector and no second compiler: it starts in half the time, and the other core is for the workers
  const java = `java -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "${jars}/*" io.temporal.testserver.TestServer`;
  await writeFile(launcher, `#!/bin/sh\necho $$ >"${pidFile}"; exec ${java} "$@" 2>"${join(dir, 'log')}"\n`, { mode: 0o700 });
  return { launcher, pidFile };
}

/** On record, so that the server of a test run that was killed is ended by the next one. */
async function remember(pidFile: string): Promise<() => void> {
  const owner = await identify(process.pid);
  const server = await identify(Number(await readFile(pidFile, 'utf8')));
  if (!owner || !server) throw new Error('the time-skipping server ended as soon as it had started');
  return record(owner, server);
}

// A dispatch as a worker would run it: real guard, real processes, the stub agent; only Temporal's side is the SDK's own mock.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MockActivityEnvironment } from '@temporalio/testing';
import { ActivityCancellationDetails } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import type { Info } from '@temporalio/activity';
import { createActivities, type ActivityDeps } from '../../../activities/index.js';
import type {
  Activities,
  AgentWork,
  DispatchInput,
  DispatchLimits,
  DispatchProgress,
  DispatchResult,
  ProgramWork,
} from '../../../activities/contract.js';
import { startProcesses } from '../../../activities/process/guard-client.js';
import type { Processes } from '../../../activities/process/process.js';
import type { Config } from '../../../model/config.js';
import type { Report } from '../../../model/messages.js';
import { buildGuard, type BuiltProgram } from '../../support/programs/build.js';

const STUB_AGENT = fileURLToPath(new URL('../../support/stub-agent.mjs', import.meta.url));

export type Step = Record<string, unknown>;

/** Short enough for tests, long enough for two busy cores. */
export const LIMITS: DispatchLimits = {
  timeoutMs: 60_000,
  graceMs: 2_000,
  resultGraceMs: 3_000,
  heartbeatMs: 200,
  quietMs: 60_000,
  attempts: 3,
  backoffMs: 5_000,
  backoffMaxMs: 120_000,
  maxDeaths: 10,
};

export interface Running {
  result: Promise<DispatchResult>;
  cancel(flags: ConstructorParameters<typeof ActivityCancellationDetails>[0]): void;
  /** the last heartbeat */
  details(): DispatchProgress | undefined;
  beats(): number;
  reports: Report[];
}

export class Bench {
  config: Config = {};
  #count = 0;

  private constructor(
    readonly folder: string,
    readonly project: string,
    readonly guard: BuiltProgram,
    readonly processes: Processes,
    readonly activities: Activities,
    readonly deps: ActivityDeps,
    readonly log: readonly string[],
  ) {}

  static async open(more: Partial<ActivityDeps> = {}): Promise<Bench> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-dispatch-')));
    const project = join(folder, 'project');
    await mkdir(project);
    const guard = await buildGuard();
    const stateDir = join(folder, 'state');
    const log: string[] = [];
    const processes = await startProcesses({ stateDir, guardPath: guard.path, log: (line) => log.push(line) });
    const holder: { bench?: Bench } = {};
    const deps: ActivityDeps = {
      host: 'here',
      stateDir,
      processes,
      config: async () => holder.bench?.config ?? {},
      env: { PATH: process.env.PATH, HOME: folder },
      projectDir: async (ref) => (ref.id === 'p' ? project : undefined),
      shutdownGraceMs: 2_000,
      log: (line) => log.push(line),
      ...more,
    };
    const bench = new Bench(folder, project, guard, processes, createActivities(deps), deps, log);
    holder.bench = bench;
    return bench;
  }

  async close(): Promise<void> {
    await this.processes.close();
    await this.guard.remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.project, name);
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8');
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(this.path(name), text);
  }

  /** The log of a result, and the stream beside it. */
  logOf(result: DispatchResult, ending = '.log'): Promise<string> {
    return this.read(`.sluice/runs/r/logs/${(result.log ?? 'none').replace(/\.log$/, ending)}`);
  }

  #input(work: AgentWork | ProgramWork, more: Partial<DispatchInput>): DispatchInput {
    const node = `n${++this.#count}`;
    const values = { inputs: { colour: 'red' }, needs: {}, run: { id: 'r' } };
    return { run: 'r', id: `${node}#1`, node, project: { id: 'p', dir: this.project }, work, limits: LIMITS, values, ...more };
  }

  /** An agent node whose `claude` is the stub with these steps. */
  async agent(steps: Step[], work: Partial<AgentWork> = {}, more: Partial<DispatchInput> = {}): Promise<DispatchInput> {
    const stub = join(this.folder, `stub-${this.#count}-${Math.random().toString(36).slice(2)}.json`);
    await writeFile(stub, JSON.stringify(steps));
    const base: AgentWork = {
      kind: 'agent',
      adapter: 'claude',
      prompt: 'do it',
      permissions: 'edit',
      args: [`--stub=${stub}`],
      env: { pass: [], set: {} },
      mustWork: false,
    };
    this.config = { agents: { claude: { bin: STUB_AGENT } }, ...this.config };
    return this.#input({ ...base, ...work }, more);
  }

  program(argv: string[], work: Partial<ProgramWork> = {}, more: Partial<DispatchInput> = {}): DispatchInput {
    return this.#input(
      { kind: 'run', argv, env: { pass: [], set: {} }, okCodes: [0], ...work },
      { ...more, limits: { ...LIMITS, attempts: 1, ...more.limits } },
    );
  }

  start(input: DispatchInput, info: Partial<Info> = {}, client?: Client): Running {
    const reports: Report[] = [];
    const seen: DispatchProgress[] = [];
    const env = new MockActivityEnvironment(
      { ...info, workflowExecution: { workflowId: 'run/r', runId: 'x' } },
      { client: client ?? recordingClient(reports) },
    );
    env.on('heartbeat', (details: DispatchProgress) => seen.push(details));
    const result = env.run<[DispatchInput], DispatchResult, Activities['dispatch']>(this.activities.dispatch, input);
    // some tests look at it only later
    result.catch(() => undefined);
    return {
      result,
      cancel: (flags) => env.cancel('CANCELLED', new ActivityCancellationDetails(flags)),
      details: () => seen.at(-1),
      beats: () => seen.length,
      reports,
    };
  }

  run(input: DispatchInput, info: Partial<Info> = {}): Promise<DispatchResult> {
    return this.start(input, info).result;
  }
}

/** The client of a worker as far as a report needs it: it keeps what it is sent. */
function recordingClient(reports: Report[]): Client {
  const signal = async (_name: string, report: Report): Promise<void> => void reports.push(report);
  return {
    withAbortSignal: (_signal: AbortSignal, send: () => Promise<void>) => send(),
    workflow: { getHandle: () => ({ signal }) },
  } as unknown as Client;
}

/** What a rejected dispatch said; fails when it was not rejected. */
export async function failureOf(running: Running): Promise<{ type?: string; message: string; nextRetryDelay?: unknown; name: string }> {
  try {
    await running.result;
  } catch (error) {
    return error as never;
  }
  throw new Error('the dispatch was to fail, and gave a result');
}

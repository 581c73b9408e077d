// A scratch project with a state folder of its own, where tests use the built CLI as a person would: real processes, a shared server.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa, type ResultPromise } from 'execa';
import type { Envelope } from '../../model/event.js';
import type { ResultV3 } from '../../model/run/result.js';
import type { NodeView, StatusView } from '../../model/run/views.js';
import { until } from './until.js';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const CLI = join(ROOT, 'dist', 'cli', 'main.js');
export const STUB_AGENT = join(ROOT, 'test', 'support', 'stub-agent.mjs');

export interface Said {
  code: number;
  out: string;
  err: string;
}

export interface WorkerProcess {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Said>;
}

export class Place {
  readonly #processes: ResultPromise[] = [];

  private constructor(
    readonly dir: string,
    readonly project: string,
    readonly env: Record<string, string>,
  ) {}

  /** @param more environment beside PATH, HOME and the folders; `TEMPORAL_ADDRESS` is the shared server's unless `embedded` */
  static async open(more: Record<string, string> = {}, embedded = false): Promise<Place> {
    const dir = await realpath(await mkdtemp(join(tmpdir(), 'sluice-place-')));
    const project = join(dir, 'project');
    await mkdir(project);
    // the shared server is shared by fleets of their own
    const shared = { TEMPORAL_ADDRESS: process.env.SLUICE_TEST_ADDRESS ?? '', SLUICE_FLEET: `f${randomUUID().slice(0, 8)}` };
    const env = { PATH: process.env.PATH ?? '', HOME: dir, SLUICE_STATE_DIR: join(dir, 'state'), ...(embedded ? {} : shared) };
    const cache = process.env.SLUICE_CACHE_DIR ?? join(process.env.HOME ?? dir, '.cache', 'sluice');
    return new Place(dir, project, { ...env, SLUICE_CACHE_DIR: cache, ...more });
  }

  async write(name: string, text: string): Promise<string> {
    const path = join(this.project, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o755 });
    return path;
  }

  read(name: string): Promise<string> {
    return readFile(join(this.project, name), 'utf8');
  }

  /** lines of a file; none if it does not exist yet */
  async lines(name: string): Promise<string[]> {
    const text = await this.read(name).catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  /** Runs the CLI to its end. */
  async cli(...args: string[]): Promise<Said> {
    const { exitCode, stdout, stderr } = await this.start(args);
    return { code: exitCode ?? -1, out: String(stdout), err: String(stderr) };
  }

  /** Runs the CLI with --json and reads what it printed. */
  async json<T>(...args: string[]): Promise<T> {
    const said = await this.cli(...args, '--json');
    try {
      return JSON.parse(said.out) as T;
    } catch {
      throw new Error(`sluice ${args.join(' ')} --json: exit ${said.code}, printed ${said.out.slice(0, 500)}; ${said.err.slice(0, 500)}`);
    }
  }

  start(args: string[], more: Record<string, string> = {}): ResultPromise<{ reject: false }> {
    const child = execa(process.execPath, [CLI, ...args], {
      cwd: this.project,
      env: { ...this.env, ...more },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    this.#processes.push(child);
    return child as unknown as ResultPromise<{ reject: false }>;
  }

  /** A worker in a process of its own, polling. */
  async worker(more: Record<string, string> = {}, ...args: string[]): Promise<WorkerProcess> {
    const child = this.start(['worker', ...args], more);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = child.then(({ exitCode, stdout, stderr }) => ({ code: exitCode ?? -1, out: String(stdout), err: String(stderr) }));
    await until(() => {
      if (child.exitCode !== null) throw new Error(`the worker ended: ${said}`);
      return /takes (no )?workflows/.test(said);
    });
    return { pid: child.pid ?? 0, kill: (signal) => void child.kill(signal), ended };
  }

  /** Starts a run and returns its id. */
  async run(plan: string, ...args: string[]): Promise<string> {
    const name = `plan-${randomUUID().slice(0, 6)}.yaml`;
    await this.write(name, plan);
    const said = await this.cli('run', name, '--detach', '--json', ...args);
    if (said.code !== 0) throw new Error(`the run was not started: ${said.err}`);
    return (JSON.parse(said.out) as { run_id: string }).run_id;
  }

  status(run: string): Promise<StatusView & { nodes?: NodeView[] }> {
    return this.json('status', run);
  }

  /** Waits until nothing moves without a person. One process that looks on: each look by `status` would start one. */
  untilWaiting(run: string): Promise<Said> {
    return until(async () => {
      // refused while there is no such run yet
      const said = await this.cli('wait', run, '--exit-on-wait');
      return said.out.includes(`run ${run}: waiting`) && said;
    });
  }

  async node(run: string, id: string): Promise<NodeView | undefined> {
    const status = await this.status(run);
    return [...(status.nodes ?? []), ...status.open].find((node) => node.id === id);
  }

  async events(run: string): Promise<Envelope[]> {
    const said = await this.cli('events', run, '--json');
    return said.out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Envelope);
  }

  async result(run: string): Promise<ResultV3> {
    return this.json('result', run);
  }

  /** Waits until the run is over; the exit code of `sluice wait`. */
  async wait(run: string): Promise<Said> {
    return this.cli('wait', run);
  }

  /** Ends every process it started and removes its folder. */
  async close(): Promise<void> {
    for (const child of this.#processes) child.kill('SIGKILL');
    await Promise.allSettled(this.#processes);
    await rm(this.dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** True while a process with this pid exists and is no zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
}

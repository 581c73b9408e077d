// Starts a guard and speaks frames with it. It does not know children.

import { execa } from 'execa';
import { frameHeader, FrameReader, TO_WORKER, type FrameHandler, type ToGuard, type ToWorker } from './frames.js';
import type { Identity } from './identity.js';
import { LineSplitter } from './lines.js';

/** A guard serves after about 50 ms; on a machine that swaps it may take seconds, never this long. */
const HELLO_WITHIN_MS = 10_000;
/** All that a guard inherits: no secret, nothing of Temporal, nothing of an enclosing agent session can leak through it. */
const GUARD_ENV = ['PATH', 'HOME', 'TZ', 'TMPDIR'] as const;

/** Keeps it at about 60 MB: without, the garbage of thousands of programs piles up to 90 before it is collected. */
const SMALL = ['--max-semi-space-size=2'];

/** Every frame but the hello, which is about the guard itself. */
export type ChildFrame = Exclude<ToWorker, typeof TO_WORKER.hello>;

export interface GuardOptions {
  /** absolute */
  stateDir: string;
  /** the built guard.js */
  guardPath: string;
  /** where the guard's few variables are taken from */
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

export interface GuardProcess {
  owner: Identity;
  send(type: ToGuard, id: number, payload?: Buffer): void;
  /** end of file: the guard ends what is left and goes */
  close(): void;
  /** SIGKILL, to a guard that does not go */
  kill(): void;
  /** resolves after the guard's last frame was handled; says how it ended */
  ended: Promise<string>;
}

/**
 * @param onFrame called for every frame but the first (the guard's hello)
 * @throws when the guard cannot be started or does not answer
 */
export async function startGuard(options: GuardOptions, onFrame: FrameHandler<ChildFrame>): Promise<GuardProcess> {
  const guard = execa(process.execPath, [...SMALL, options.guardPath, options.stateDir], {
    cwd: '/',
    env: pick(options.env, GUARD_ENV),
    extendEnv: false,
    // out of reach of a terminal's ^C and of execa's own end of children: the guard must outlive the worker by its 5 s
    detached: true,
    cleanup: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    encoding: 'buffer',
    reject: false,
  });
  // EPIPE of a guard that died: its end is told by `ended`
  guard.stdin.on('error', () => undefined);
  const lines = new LineSplitter({ onLine: ({ line }) => options.log(`guard: ${line}`) });
  guard.stderr.on('data', (chunk: Buffer) => lines.push(chunk));
  const ended = guard.then(({ exitCode, signal }) => (signal === undefined ? `exit code ${exitCode}` : signal));
  const hello = new Promise<Identity>((resolve) => {
    const frames = new FrameReader<ToWorker>((type, id, payload) => {
      if (type === TO_WORKER.hello) resolve(JSON.parse(payload.toString()) as Identity);
      else onFrame(type, id, payload);
    });
    guard.stdout.on('data', (chunk: Buffer) => frames.push(chunk));
  });
  const kill = (): void => void guard.kill('SIGKILL');
  return {
    owner: await answered(hello, ended, options.guardPath, kill),
    ended,
    kill,
    close: () => void guard.stdin.end(),
    send: (type, id, payload = Buffer.alloc(0)) => {
      if (!guard.stdin.writable) return;
      guard.stdin.cork();
      guard.stdin.write(frameHeader(type, id, payload.length));
      guard.stdin.write(payload);
      process.nextTick(() => guard.stdin.uncork());
    },
  };
}

async function answered(hello: Promise<Identity>, ended: Promise<string>, guardPath: string, kill: () => void): Promise<Identity> {
  let timer: NodeJS.Timeout | undefined;
  const silence = `no answer for ${HELLO_WITHIN_MS / 1000} s`;
  const late = new Promise<string>((resolve) => (timer = setTimeout(resolve, HELLO_WITHIN_MS, silence)));
  const first = await Promise.race([hello, ended, late]).finally(() => clearTimeout(timer));
  if (typeof first !== 'string') return first;
  kill();
  throw new Error(`the guard ${guardPath} did not start (${first}); without it no agent or program can be started`);
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

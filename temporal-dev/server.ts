// Starts one dev server, waits until it serves, and ends it. Knows nothing of who needs it or of other servers (the pair does).

import { execa, type ResultPromise } from 'execa';
import { poll } from './poll.js';
import { choosePort, isPortFree } from './ports.js';
import { endProcess, identify, type ProcessIdentity } from './process-identity.js';
import { serverArgs, type SearchAttributeType } from './server-args.js';
import { serverLog, type ServerLog } from './server-log.js';
import { addSearchAttributes, answers, setRetention } from './serving.js';

export interface DevServerOptions {
  /** the Temporal CLI, as `locateCli` found it */
  cli: string;
  /** absolute; absent: in memory */
  dbFile?: string | undefined;
  ip?: '127.0.0.1' | undefined;
  /** default 7233; another when it is taken */
  port?: number | undefined;
  /** this port or none */
  portFixed?: boolean | undefined;
  /** default `port` + 1000; another when it is taken */
  uiPort?: number | undefined;
  searchAttributes: Readonly<Record<string, SearchAttributeType>>;
  /** appended to; absent: only the tail is kept, for the message of a failure */
  logFile?: string | undefined;
  /** how long ended runs are kept, default 30 (operations.md) */
  retentionDays?: number | undefined;
  /** called as soon as there is a process, long before it serves, so that it can be put on record */
  onSpawn?: ((server: ProcessIdentity) => Promise<void>) | undefined;
}

export interface ServerExit {
  code: number | null;
  signal: string | null;
  /** its last lines */
  tail: string;
}

export interface DevServer extends ProcessIdentity {
  /** host:port */
  address: string;
  uiUrl: string;
  /** ends it and waits until it is gone; saying it again only waits */
  stop(): Promise<void>;
  /** resolves when the process has ended, by `stop` or by itself */
  exited: Promise<ServerExit>;
}

/** The server could not be started: one line, and in `tail` what the server said last. Broken infrastructure, so it is thrown. */
export class DevServerError extends Error {
  override name = 'DevServerError';
  constructor(
    message: string,
    readonly tail = '',
  ) {
    super(message);
  }
}

const LOOPBACK = '127.0.0.1';
const DEFAULT_PORT = 7233;
const UI_OFFSET = 1_000;
const RETENTION_DAYS = 30;
/** About 1.2 s on an idle machine; a database of gigabytes on a busy one takes much longer, and giving up helps nobody. */
const START_TIMEOUT_MS = 60_000;
/** It closes its database within a second; a server that hangs holds the port of the next one. */
const STOP_GRACE_MS = 10_000;
/** A port can be taken between the look and the start: three times in a row is not chance. */
const PORT_TRIES = 3;

interface Launched {
  identity: ProcessIdentity;
  exited: Promise<ServerExit>;
}

function spawn(options: DevServerOptions, args: string[], log: ServerLog): ResultPromise {
  const child = execa(options.cli, args, {
    // a group of its own: Ctrl-C in the terminal reaches the workers first, which still need the server to hand over
    detached: true,
    cleanup: false,
    stdin: 'ignore',
    stdout: log.stdio,
    stderr: log.stdio,
    buffer: false,
    reject: false,
  });
  log.attach([child.stdout, child.stderr]);
  return child;
}

/** @returns why it does not serve when it has ended before it could be looked at */
async function launch(options: DevServerOptions, args: string[]): Promise<Launched | NotServing> {
  const log = serverLog(options.logFile);
  const child = spawn(options, args, log);
  const exited = child.then(({ exitCode, signal, cause }): ServerExit => {
    const failure = cause === undefined ? '' : String((cause as Error).message);
    return { code: exitCode ?? null, signal: signal ?? null, tail: log.tail() || failure };
  });
  if (child.pid === undefined) throw new DevServerError(`the dev server did not start: ${(await exited).tail}`);
  const identity = await identify(child.pid);
  return identity ? { identity, exited } : notServing(await exited);
}

interface NotServing {
  reason: string;
  tail: string;
}

function notServing({ code, signal, tail }: ServerExit): NotServing {
  return { reason: `${signal ?? `exit code ${code}`}: ${tail.split('\n').at(-1)}`, tail };
}

/** @returns why it does not serve, undefined when it does */
async function untilServing(address: string, exited: Promise<ServerExit>): Promise<NotServing | undefined> {
  const giveUp = new AbortController();
  const early = exited.then((exit) => {
    giveUp.abort();
    return exit;
  });
  const serving = await poll(() => answers(address), { timeoutMs: START_TIMEOUT_MS, signal: giveUp.signal });
  // aborted while the other server on that port answered: ours is not the one that serves
  if (giveUp.signal.aborted) {
    return notServing(await early);
  }
  return serving ? undefined : { reason: `nothing serves at ${address} after ${START_TIMEOUT_MS / 1000} s`, tail: '' };
}

async function ports(options: DevServerOptions, ip: string): Promise<{ port: number; uiPort: number }> {
  const wanted = options.port ?? DEFAULT_PORT;
  if (options.portFixed && !(await isPortFree(wanted, ip))) throw new DevServerError(`port ${wanted} of ${ip} is taken`);
  const port = options.portFixed ? wanted : await choosePort(wanted, ip);
  return { port, uiPort: await choosePort(options.uiPort ?? port + UI_OFFSET, ip) };
}

async function tryStart(options: DevServerOptions): Promise<DevServer | NotServing> {
  const ip = options.ip ?? LOOPBACK;
  const { port, uiPort } = await ports(options, ip);
  const launched = await launch(options, serverArgs({ ...options, ip, port, uiPort }));
  if ('reason' in launched) return launched;
  const { identity, exited } = launched;
  const stop = async (): Promise<void> => {
    await endProcess(identity, STOP_GRACE_MS);
    await exited;
  };
  const address = `${ip}:${port}`;
  try {
    await options.onSpawn?.(identity);
    const failure = await untilServing(address, exited);
    if (failure === undefined) {
      await setRetention(address, options.retentionDays ?? RETENTION_DAYS);
      await addSearchAttributes(address, options.searchAttributes);
      return { ...identity, address, uiUrl: `http://${ip}:${uiPort}`, stop, exited };
    }
    await stop();
    return failure;
  } catch (error) {
    await stop(); // never leave a server behind that nobody was told of
    throw error;
  }
}

/** Temporal's CLI says that the address is in use, or, where it found out late, panics in its own start (1.9.1: exit 2, no such word). */
function lostPort(tail: string): boolean {
  return tail.includes('address already in use') || /^goroutine \d+ \[running\]|^panic: /m.test(tail);
}

/**
 * Starts a dev server and waits until it serves, its search attributes are registered and its retention is set (about 1.2 s).
 * It is not ended with this process: call `stop`.
 * @throws DevServerError with the server's last lines
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  for (let attempt = 1; ; attempt++) {
    const started = await tryStart(options);
    if ('address' in started) return started;
    const { reason, tail } = started;
    if (!lostPort(tail) || attempt === PORT_TRIES) throw new DevServerError(`the dev server did not start: ${reason}`, tail);
  }
}

// `sluice dev`: dev server and workers in the foreground, or, as `sluice run` starts it, in the background. Reads flags, prints, maps
// the end to an exit code; workers/pair does the rest.

import { cacheDir, stateDir } from '../../model/paths.js';
import { EXIT, exitCodeOfSignal } from '../../model/errors.js';
import { progressLines } from '../../temporal-dev/progress.js';
import { runWorkers } from '../../workers/build.js';
import { runPair, type DevInfo } from '../../workers/pair.js';
import type { Io } from '../io.js';
import { misuse, refuse } from '../refuse.js';

export interface DevArgs {
  port?: number;
  ephemeral?: boolean;
  /** started by another command: no terminal, its lines go to dev.log */
  embedded?: boolean;
}

/** SIGHUP is the terminal that closes: the server ends with its owner, so it must be told. Not under nohup, which has no terminal. */
function stopSignal(io: Io): { signal: AbortSignal; forget(): void } {
  const hangUp = new AbortController();
  const onHangUp = (): void => hangUp.abort('SIGHUP');
  if (io.tty) process.once('SIGHUP', onHangUp);
  return { signal: AbortSignal.any([io.signal, hangUp.signal]), forget: () => process.off('SIGHUP', onHangUp) };
}

function tellReady(info: DevInfo, io: Io): void {
  if (io.json) return io.out(JSON.stringify({ ready: info }));
  if (io.quiet) return;
  io.out(`Temporal ${info.version} serves at ${info.address}${info.ephemeral ? ', in memory' : ''}; a worker polls`);
  io.out(`its own page: ${info.uiUrl}`);
  if (info.mode === 'foreground') io.out('Ctrl-C ends both');
}

/**
 * Runs the pair until a signal.
 * @returns 130 or 143 after a signal, 2 for a port that is taken, 3 without a server, 4 beside another pair
 */
export async function run(args: DevArgs, io: Io): Promise<number> {
  const { port, ephemeral, embedded } = args;
  if (port !== undefined && (port < 1 || port > 65_535)) return misuse(io, `--port ${port}: a port is a number from 1 to 65535`);
  const { signal, forget } = stopSignal(io);
  const say = (line: string): void => (io.quiet ? undefined : io.err(line));
  signal.addEventListener('abort', () => say('stopping: the workers hand over, then the server ends; once more to end at once'), {
    once: true,
  });
  try {
    const ended = await runPair({
      stateDir: stateDir(io),
      cacheDir: cacheDir(io),
      env: io.env,
      mode: embedded ? 'embedded' : 'foreground',
      ephemeral: ephemeral === true,
      port,
      signal,
      startWorkers: runWorkers,
      onReady: (info) => tellReady(info, io),
      say,
      log: (line) => io.err(line),
      onProgress: progressLines(say),
    });
    if (!ended.ok) return refuse(io, ended.refusal);
    if (io.json) io.out(JSON.stringify({ ended: String(signal.reason) }));
    return signal.aborted ? exitCodeOfSignal(String(signal.reason)) : EXIT.ok;
  } finally {
    forget();
  }
}

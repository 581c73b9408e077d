// Keeps one dev server up: when it dies by itself it is started again on the same port and database, and workers and clients
// find it there. Knows nothing of them.

import type { DevServer } from '../../temporal-dev/server.js';

export interface KeptServer {
  current(): DevServer;
  /** resolves with the reason when it cannot be kept; never after `stop` */
  lost: Promise<string>;
  /** ends the server and the keeping; resolves when it is gone */
  stop(): Promise<void>;
}

export interface KeepOptions {
  start(port?: number): Promise<DevServer>;
  /** false: its data was in memory, so a new one would be another server in its clothes */
  restartable: boolean;
  onRestart(server: DevServer): Promise<void>;
  log(line: string): void;
}

/** A server that dies this often in this time is broken, and starting it again helps nobody. */
const MAX_DEATHS = 5;
const DEATHS_WITHIN_MS = 60_000;

const lastLine = (text: string): string => text.split('\n').at(-1) ?? '';
const portOf = (server: DevServer): number => Number(server.address.split(':').at(-1));

export async function keepServer(options: KeepOptions): Promise<KeptServer> {
  let server = await options.start();
  let stopping = false;
  const deaths: number[] = [];

  const restart = async (tail: string): Promise<string | undefined> => {
    if (!options.restartable) return `the dev server ended by itself, and its data was in memory: ${lastLine(tail)}`;
    deaths.push(Date.now());
    const recent = deaths.filter((at) => at > Date.now() - DEATHS_WITHIN_MS);
    if (recent.length > MAX_DEATHS) return `the dev server ended ${recent.length} times within a minute: ${lastLine(tail)}`;
    options.log(`the dev server (process ${server.pid}) ended by itself; starting it again`);
    server = await options.start(portOf(server));
    if (!stopping) await options.onRestart(server);
    return undefined;
  };

  const watch = async (): Promise<string | undefined> => {
    for (;;) {
      const { tail } = await server.exited;
      if (stopping) return undefined;
      const reason = await restart(tail);
      if (reason !== undefined) return reason;
      if (stopping) await server.stop(); // told to stop while it was starting
    }
  };
  const watching = watch().catch((error: unknown) => `the dev server could not be started again: ${String((error as Error).message)}`);
  const lost = new Promise<string>((resolve) => void watching.then((reason) => reason !== undefined && resolve(reason)));

  return {
    current: () => server,
    lost,
    async stop() {
      stopping = true;
      await server.stop();
      await watching;
    },
  };
}

// Which TCP ports are free on one address of this machine. A port may be taken again before it is used: callers try again.

import { createServer } from 'node:net';

const HIGHEST_PORT = 65_535;

/** Listens for a moment. @returns the port that worked, undefined when it is taken; other faults are thrown */
async function tryListen(port: number, ip: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      // EACCES: a port below 1024 that is not ours is as good as taken
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    probe.listen({ port, host: ip, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}

export async function isPortFree(port: number, ip: string): Promise<boolean> {
  return (await tryListen(port, ip)) !== undefined;
}

/** @returns `wanted` if it is free, else one that the system chooses (also for 0, and for a sum that is no port) */
export async function choosePort(wanted: number, ip: string): Promise<number> {
  const port = (await tryListen(wanted > HIGHEST_PORT ? 0 : wanted, ip)) ?? (await tryListen(0, ip));
  if (port === undefined) throw new Error(`no free TCP port on ${ip}`);
  return port;
}

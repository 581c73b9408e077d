// The worker processes of the bench: started over a channel whose end is theirs, and their peak memory.

import { fileURLToPath } from 'node:url';
import { execa, execaNode } from 'execa';

/** Reading a bundle and connecting takes 2 s; a machine that needs longer measures nothing useful. */
const READY_MS = 60_000;

/** Starts a worker script; resolves when it polls. */
export async function startWorker(script, options) {
  const child = execaNode(fileURLToPath(new URL(script, import.meta.url)), [JSON.stringify(options)], {
    ipc: true,
    stdout: 'inherit',
    stderr: 'inherit',
    reject: false,
  });
  const ready = await Promise.race([child.getOneMessage(), child.then((ended) => ({ ended })), late(script)]);
  if (!ready.ready) throw new Error(`${script} ended before it polled: ${ready.ended?.shortMessage ?? 'no reason given'}`);
  return {
    host: ready.host,
    pid: child.pid,
    async stop() {
      // a signal to the terminal's group may have ended it already
      if (child.connected) child.disconnect();
      await child;
    },
  };
}

function late(script) {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(`${script} did not poll within ${READY_MS} ms`)), READY_MS).unref());
}

/** Watches resident memory of a process and of its children (the guard) until stopped. `ps` knows both Linux and macOS. */
export function watchMemory(pid, everyMs = 250) {
  const peak = { workerMb: 0, guardMb: 0 };
  let looking = Promise.resolve();
  const look = async () => {
    const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid=,rss='], { reject: false });
    for (const line of (stdout ?? '').split('\n')) {
      const [own, parent, kb] = line.trim().split(/\s+/).map(Number);
      if (own === pid) peak.workerMb = Math.max(peak.workerMb, kb / 1024);
      // a guard is a child of some size; the programs below it are its own children
      if (parent === pid) peak.guardMb = Math.max(peak.guardMb, kb / 1024);
    }
  };
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
    return peak;
  };
}

// The guard's process: starts and ends every process tree of one worker, and outlives it by no more than 5 s (agents.md, Processes).
// Started by guard-client.ts with a state folder as its argument; frames on stdin and stdout, log lines on stderr.
// Must stay small: node: built-ins and siblings only, no library, nothing of Temporal (a spawn costs by its parent's memory).

import { FrameReader, TO_WORKER, type ToGuard } from './frames.js';
import { GuardChannel } from './guard-channel.js';
import { GuardChildren } from './guard-children.js';
import { startOf } from './identity.js';

/** A tree that SIGKILL does not end (tree-ender.ts gives up after 10 s) must not keep the guard for ever; the next sweep looks again. */
const LEAVE_AFTER_MS = 20_000;

function main(stateDir: string): void {
  // asked by a terminal or a service manager, together with its worker: it ends when the worker has, so that the worker can hand over first
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const owner = { pid: process.pid, start: startOf(process.pid) ?? '' };
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  // the reader of the log is the worker, too
  process.stderr.on('error', () => undefined);
  const channel = new GuardChannel(process.stdout, (held) => children.hold(held));
  const children = new GuardChildren({ stateDir, owner, log, send: (type, id, payload) => channel.send(type, id, payload) });
  let leaving = false;
  const leave = (): void => {
    if (leaving) return;
    leaving = true;
    channel.close();
    setTimeout(() => process.exit(1), LEAVE_AFTER_MS);
    void children.abandon().then(() => process.exit(0));
  };
  // a defect must not leave trees without a guard: they end as if the worker had
  process.on('uncaughtException', (error) => {
    log(`the guard fails and ends its trees: ${error.stack ?? error.message}`);
    leave();
  });
  const frames = new FrameReader<ToGuard>((type, id, payload) => children.handle(type, id, payload));
  process.stdin.on('data', (chunk: Buffer) => frames.push(chunk));
  // end of file: the worker is gone, however it went
  for (const event of ['end', 'error', 'close']) process.stdin.on(event, leave);
  channel.send(TO_WORKER.hello, 0, Buffer.from(JSON.stringify(owner)));
}

const [stateDir] = process.argv.slice(2);
if (stateDir === undefined) {
  process.stderr.write('the guard is started by a worker, with the state folder as its argument\n');
  process.exitCode = 2;
} else {
  main(stateDir);
}

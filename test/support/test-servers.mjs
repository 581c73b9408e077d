// Servers of test runs on record, so that those of a run that was killed are ended by the next one. Plain Node.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const DIR = join(tmpdir(), `sluice-test-servers-${userInfo().uid}`);

/** @returns a way to take it from the record */
export function record(owner, server) {
  mkdirSync(DIR, { recursive: true, mode: 0o700 });
  const file = join(DIR, `${server.pid}.json`);
  writeFileSync(file, JSON.stringify({ owner, server }));
  return () => rmSync(file, { force: true });
}

/** Ends servers whose owner is gone: both are known by pid and start, so nobody else's process is touched. */
export async function sweep({ isRunning, endProcess }) {
  mkdirSync(DIR, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(DIR)) {
    const file = join(DIR, name);
    try {
      const { owner, server } = JSON.parse(readFileSync(file, 'utf8'));
      if (await isRunning(owner)) continue;
      await endProcess({ pid: server.pid, start: server.start }, 5_000);
    } catch (error) {
      // another run is sweeping too, or its record was cut by a full disk: nothing to end by it
      if (error.code !== 'ENOENT' && error.name !== 'SyntaxError') throw error;
    }
    rmSync(file, { force: true });
  }
}

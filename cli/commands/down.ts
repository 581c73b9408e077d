// `sluice down`: ends the dev server and workers of this user, and says what it did.

import { EXIT } from '../../model/errors.js';
import { stateDir, statePaths } from '../../model/paths.js';
import { stopPair, type StopReport } from '../../workers/pair.js';
import type { Io } from '../io.js';

function lines({ ended, orphans, purged }: StopReport, database: string): string[] {
  const told = ended.map(({ pid, mode, how }) => {
    const where = mode === 'embedded' ? 'in the background' : 'in the foreground';
    return `ended the dev server and worker ${where} (process ${pid})${how === 'killed' ? ', which had to be killed' : ''}`;
  });
  orphans.forEach((pid) => told.push(`ended a dev server that a killed one left behind (process ${pid})`));
  if (told.length === 0) told.push('no dev server is running');
  if (purged.length > 0) told.push(`removed its database ${database}`);
  return told;
}

/** @returns 0, also when there was nothing to end */
export async function run(args: { purge?: boolean }, io: Io): Promise<number> {
  const state = stateDir(io);
  const report = await stopPair({ stateDir: state, purge: args.purge });
  if (io.json) io.out(JSON.stringify(report));
  else if (!io.quiet) lines(report, statePaths(state).devDatabase).forEach((line) => io.out(line));
  return EXIT.ok;
}

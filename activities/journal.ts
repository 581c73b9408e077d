// The activity `appendJournal`: the journal of a run on its home host (run.md, Events). The answer is a value.

import type { JournalInput, Written } from './contract.js';
import type { ActivityDeps } from './deps.js';
import { appendEvents } from './journal-file.js';
import { runFolder, writtenOr } from './run-folder.js';

/**
 * Makes the activity. Idempotent by `seq`: a batch that comes again adds nothing. Batches of one run are written one after the
 * other, also when the server gave one up and sent it again while the disk still had it.
 */
export function journalAppender(deps: ActivityDeps): (input: JournalInput) => Promise<Written> {
  const writing = new Map<string, Promise<unknown>>();
  return async ({ run, project, events }) => {
    const folder = await runFolder(deps, project, run);
    if (!folder.ok) return { written: false, code: folder.code, message: folder.message };
    const path = folder.paths.events;
    const append = async (): Promise<Written> => {
      const { seq, torn } = await appendEvents(path, events);
      if (torn) deps.log(`${path}: its last record was torn and stands apart now; readers count one unreadable record`, { run });
      return { written: true, seq };
    };
    // `writtenOr` swallows what the system refused, and a defect is heard by the caller whose batch it was
    const mine = (writing.get(path) ?? Promise.resolve())
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => writtenOr(append));
    writing.set(path, mine);
    try {
      return await mine;
    } finally {
      if (writing.get(path) === mine) writing.delete(path);
    }
  };
}

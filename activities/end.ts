// The activity `writeEnd`: what every end of a run leaves at home: its last words in the journal, `result.json` and `state.json`
// (run.md, The result).

import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Activities, EndInput, Written } from './contract.js';
import type { ActivityDeps } from './deps.js';
import { runFolder, writtenOr } from './run-folder.js';

/**
 * Makes the activity. Said again it writes the same again.
 * @param append the journal's, so that one writer at a time has the file
 * @returns `seq` 0: neither file has a number
 */
export function endWriter(deps: ActivityDeps, append: Activities['appendJournal']): (input: EndInput) => Promise<Written> {
  return async ({ run, project, events = [], result, state }) => {
    if (events.length > 0) {
      const appended = await append({ run, project, events });
      if (!appended.written) return appended;
    }
    const folder = await runFolder(deps, project, run);
    if (!folder.ok) return { written: false, code: folder.code, message: folder.message };
    const { paths } = folder;
    return writtenOr(async () => {
      // the state first: where there is a result, `retry` finds what it starts from
      await replaceFile(paths.state, `${JSON.stringify(state)}\n`);
      await replaceFile(paths.result, `${JSON.stringify(result, null, 2)}\n`);
      return { written: true, seq: 0 };
    });
  };
}

/** A reader sees the old file or the new one, never a part; a crash leaves one of the two. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

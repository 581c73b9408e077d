// Histories of each release replay on the bundle of this one: a change that alters effects or their order fails here (run.md, Size).

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

const HISTORIES = join(dirname(fileURLToPath(import.meta.url)), 'histories');
const recorded = readdirSync(HISTORIES).flatMap((release) => readdirSync(join(HISTORIES, release)).map((file) => join(release, file)));

Runtime.install({ logger: new DefaultLogger('ERROR') });

const options = { workflowBundle: { codePath: process.env.SLUICE_TEST_BUNDLE ?? '' } };
const read = (file: string): ReturnType<typeof historyFromJSON> => historyFromJSON(JSON.parse(readFileSync(join(HISTORIES, file), 'utf8')));

describe('recorded histories', () => {
  it.each(recorded)('%s replays', async (file) => {
    await expect(Worker.runReplayHistory(options, read(file))).resolves.toBeUndefined();
  });

  it('would tell a history that this build does not make', async () => {
    const history = read(recorded.find((file) => file.includes('diamond')) ?? '');
    for (const event of history.events ?? []) {
      const scheduled = event.activityTaskScheduledEventAttributes;
      if (scheduled?.activityId === 'b#1') scheduled.activityId = 'other#1';
    }
    await expect(Worker.runReplayHistory(options, history)).rejects.toThrow(/[Nn]ondeterminism|activity/);
  });
});

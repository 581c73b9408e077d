// Histories of each release replay on the bundle of this one: a change that alters effects or their order fails here (run.md, Size).

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import proto from '@temporalio/proto';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { createDataConverter } from '../../workers/codec/index.js';

const HISTORIES = join(dirname(fileURLToPath(import.meta.url)), 'histories');
const recorded = readdirSync(HISTORIES).flatMap((release) => readdirSync(join(HISTORIES, release)).map((file) => join(release, file)));

Runtime.install({ logger: new DefaultLogger('ERROR') });

const options = { workflowBundle: { codePath: process.env.SLUICE_TEST_BUNDLE ?? '' }, dataConverter: createDataConverter({}) };
const { History } = proto.temporal.api.history.v1;

// the server's own messages, in base64: the SDK's JSON reader does not work beside a second protobufjs
function read(file: string): proto.temporal.api.history.v1.History {
  return History.decode(Buffer.from(readFileSync(join(HISTORIES, file), 'utf8'), 'base64'));
}

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

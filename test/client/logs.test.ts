// Finding and reading a node's log on this machine.

import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { latestLog, readLog, type LogFile } from '../../client/logs.js';
import { runPaths } from '../../model/paths.js';

const RUN = 'r-1';
let project: string;
let logs: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'sluice-logs-'));
  logs = runPaths(project, RUN).logs;
  await mkdir(logs, { recursive: true });
});
afterEach(() => rm(project, { recursive: true }));

const put = (name: string, text = ''): Promise<void> => writeFile(join(logs, name), text);
const none = (): Promise<undefined> => Promise.resolve(undefined);
const over = (): Promise<boolean> => Promise.resolve(false);

async function all(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe("a node's latest log", () => {
  it.each([
    ['the last dispatch', ['a.1.1.log', 'a.2.1.log'], 'a', 'a.2.1.log'],
    ['the last attempt of it', ['a.2.1.log', 'a.2.10.log', 'a.2.9.log'], 'a', 'a.2.10.log'],
    ['a step', ['a@test.1.1.log'], 'a', 'a@test.1.1.log'],
    ['not that of a node whose id goes on', ['a.b.1.1.log', 'a-c.1.1.log'], 'a', undefined],
    ['an id with dots', ['a.1.1.log', 'a.1.2.3.log'], 'a.1', 'a.1.2.3.log'],
    ['not the parsed stream beside it', ['a.1.1.ndjson'], 'a', undefined],
  ])('is %s', async (_, names, node, expected) => {
    for (const name of names) await put(name);
    expect((await latestLog(project, RUN, node))?.name).toBe(expected);
  });

  it('is none before anything ran', async () => {
    expect(await latestLog(project, 'other', 'a')).toBeUndefined();
  });
});

describe('reading a log', () => {
  it('keeps a character whole that lies across two pieces', async () => {
    const text = `${'x'.repeat(64 * 1024 - 1)}ä and more`;
    await put('a.1.1.log', text);
    const file = (await latestLog(project, RUN, 'a'))!;
    expect(await all(readLog(file, none, over))).toBe(text);
  });

  it('goes on while the node runs, and takes what came last', async () => {
    await put('a.1.1.log', 'one\n');
    const file = (await latestLog(project, RUN, 'a'))!;
    let looks = 0;
    const more = async (): Promise<boolean> => {
      looks += 1;
      await appendFile(file.path, `look ${looks}\n`);
      return looks < 3;
    };
    expect(await all(readLog(file, none, more))).toBe('one\nlook 1\nlook 2\nlook 3\n');
  });

  it('moves on to the next attempt', async () => {
    await put('a.1.1.log', 'first\n');
    await put('a.1.2.log', 'second\n');
    const first: LogFile = { path: join(logs, 'a.1.1.log'), name: 'a.1.1.log', n: 1, attempt: 1 };
    expect(await all(readLog(first, () => latestLog(project, RUN, 'a'), over))).toBe('first\nsecond\n');
  });
});

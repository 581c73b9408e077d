// The journal's reader against real files: torn ends, damaged lines, the rotated half.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readJournal, readJournalStrictly, unreadableNote } from '../../client/journal.js';
import type { Envelope } from '../../model/event.js';
import { runPaths } from '../../model/paths.js';

const RUN = 'r-1';
let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'sluice-journal-'));
  await mkdir(runPaths(project, RUN).dir, { recursive: true });
});
afterEach(() => rm(project, { recursive: true }));

function event(seq: number): Envelope {
  return {
    v: 1,
    ts: '2026-11-30T10:00:00.000Z',
    stream: RUN,
    seq,
    source: 'run',
    kind: 'node-ready',
    labels: { run_id: RUN, node: 'a' },
    payload: {},
    artifacts: [],
  };
}

const line = (seq: number): string => `${JSON.stringify(event(seq))}\n`;
const journal = (text: string): Promise<void> => writeFile(runPaths(project, RUN).events, text);
const seqs = async (after?: number): Promise<number[]> =>
  (await readJournal(project, RUN, { ...(after !== undefined && { after }) })).events.map(({ seq }) => seq);

describe('reading a journal', () => {
  it('reads the rotated half before the current file', async () => {
    await writeFile(`${runPaths(project, RUN).events}.1`, line(1) + line(2));
    await journal(line(3));
    expect(await seqs()).toEqual([1, 2, 3]);
  });

  it('gives an event once that stands in both halves', async () => {
    await writeFile(`${runPaths(project, RUN).events}.1`, line(1) + line(2));
    await journal(line(2) + line(3));
    expect(await seqs()).toEqual([1, 2, 3]);
  });

  it('leaves out what the reader has seen', async () => {
    await journal(line(1) + line(2) + line(3));
    expect(await seqs(2)).toEqual([3]);
  });

  it('says that there is none, and is no error', async () => {
    expect(await readJournal(project, RUN)).toEqual({ events: [], unreadable: [], absent: true });
  });

  it.each([
    ['a torn end', line(1) + '{"ts":"2026-', [1], 2],
    ['a torn end that was written on after', `${line(1)}{"ts":"2026-\n${line(2)}`, [1, 2], 2],
    ['a damaged line in the middle', `${line(1)}\u0000\u0000 not json\n${line(2)}`, [1, 2], 2],
    ['JSON that is no event', `${line(1)}{"seq":2}\n${line(2)}`, [1, 2], 2],
  ])('skips %s, counts it and says where it is (O-38)', async (_, text, expected, at) => {
    await journal(text);
    const read = await readJournal(project, RUN);
    expect(read.events.map(({ seq }) => seq)).toEqual(expected);
    expect(unreadableNote(read)).toBe(`1 unreadable record skipped, the first at ${runPaths(project, RUN).events}:${at}`);
  });

  it('throws what a folder in its place throws', async () => {
    await mkdir(runPaths(project, RUN).events);
    await expect(readJournal(project, RUN)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});

describe('reading a journal for accounting (O-38)', () => {
  it('gives every event', async () => {
    await journal(line(1) + line(2));
    expect(await readJournalStrictly(project, RUN)).toHaveLength(2);
  });

  it.each([
    ['a torn end', line(1) + '{"ts":"2026-', /events\.ndjson:2: unreadable record/],
    ['a missing number', line(1) + line(3), /event 2 is missing/],
    ['a missing start', line(2), /event 1 is missing/],
  ])('refuses %s instead of counting less', async (_, text, message) => {
    await journal(text);
    await expect(readJournalStrictly(project, RUN)).rejects.toThrow(message);
  });

  it('refuses an absent journal instead of counting zero', async () => {
    await expect(readJournalStrictly(project, RUN)).rejects.toThrow(/no journal at/);
  });
});

// The journal's appender, the end's files and the reader of logs, on a real disk.

import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createActivities, type ActivityDeps } from '../../../activities/index.js';
import { appendEvents } from '../../../activities/journal-file.js';
import type { Activities } from '../../../activities/contract.js';
import type { Envelope } from '../../../model/event.js';

let folder: string;
let activities: Activities;
let log: string[];
const ref = { id: 'p', dir: '/p' };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-journal-'));
  log = [];
  const deps = { host: 'here', projectDir: async () => folder, log: (line: string) => void log.push(line) };
  activities = createActivities(deps as unknown as ActivityDeps);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const event = (seq: number, text = ''): Envelope => ({
  v: 1,
  ts: '2026-01-01T00:00:00.000Z',
  stream: 'r',
  seq,
  source: 'run',
  kind: 'node-ready',
  labels: { run_id: 'r' },
  payload: { text },
  artifacts: [],
});
const events = (from: number, to: number, text = ''): Envelope[] => Array.from({ length: to - from + 1 }, (_x, i) => event(from + i, text));
const path = (): string => join(folder, '.sluice/runs/r/events.ndjson');
const append = (...batch: Envelope[]) => activities.appendJournal({ run: 'r', project: ref, events: batch });

/** Numbers of the readable lines, `?` for others. */
async function lines(file = path()): Promise<(number | string)[]> {
  const text = await readFile(file, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      try {
        return (JSON.parse(line) as Envelope).seq;
      } catch {
        return '?';
      }
    });
}

describe('appendJournal', () => {
  it('appends in order and tells the last number', async () => {
    expect(await append(...events(1, 3))).toEqual({ written: true, seq: 3 });
    expect(await append(event(4))).toEqual({ written: true, seq: 4 });
    expect(await lines()).toEqual([1, 2, 3, 4]);
  });

  it('writes nothing twice, whole batches and parts of them', async () => {
    await append(...events(1, 3));
    expect(await append(...events(1, 3))).toEqual({ written: true, seq: 3 });
    expect(await append(...events(2, 5))).toEqual({ written: true, seq: 5 });
    expect(await lines()).toEqual([1, 2, 3, 4, 5]);
  });

  it('writes batches that arrive at once one after the other', async () => {
    await Promise.all([append(...events(1, 50)), append(...events(1, 50)), append(...events(1, 60))]);
    expect(await lines()).toEqual(events(1, 60).map(({ seq }) => seq));
  });

  it('O-38 sets a torn end apart, and the next record stands on its own line', async () => {
    await append(...events(1, 2));
    await appendFile(path(), '{"ts":"2026-');
    expect(await append(event(3))).toEqual({ written: true, seq: 3 });
    expect(await lines()).toEqual([1, 2, '?', 3]);
    expect(log).toEqual([expect.stringContaining('torn')]);
  });

  it('O-38 a record that lacks only its newline comes again, and is not trusted', async () => {
    await append(...events(1, 2));
    await appendFile(path(), JSON.stringify(event(3)));
    await append(event(3), event(4));
    expect(await lines()).toEqual([1, 2, 3, 3, 4]);
  });

  it('O-38 a damaged line in the middle or at the end hides no number before it', async () => {
    await append(...events(1, 2));
    await appendFile(path(), 'damaged\n\0\0\0\n');
    expect(await append(...events(2, 3))).toEqual({ written: true, seq: 3 });
    expect(await lines()).toEqual([1, 2, '?', '?', 3]);
  });

  it('finds the last number behind a line longer than its first look', async () => {
    await append(event(1, 'x'.repeat(200_000)));
    await appendFile(path(), `${'y'.repeat(100_000)}\n`);
    expect(await append(...events(1, 2))).toEqual({ written: true, seq: 2 });
  });

  it('rotates at its size, loses nothing, and goes on counting in the new file', async () => {
    for (let seq = 1; seq <= 9; seq++) await appendEvents(path(), [event(seq, 'x'.repeat(300))], 1_200);
    const names = (await readdir(join(folder, '.sluice/runs/r'))).sort();
    expect(names).toEqual(['events.ndjson', 'events.ndjson.1', 'events.ndjson.2', 'events.ndjson.3', 'events.ndjson.4']);
    const all = await Promise.all([4, 3, 2, 1].map((n) => lines(`${path()}.${n}`)));
    expect([...all.flat(), ...(await lines())]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await rm(path());
    expect(await append(...events(1, 9))).toEqual({ written: true, seq: 9 });
  });

  it('answers with the code when the disk refuses', async () => {
    await writeFile(join(folder, '.sluice'), 'in the way');
    expect(await append(event(1))).toMatchObject({ written: false, code: 'ENOTDIR', message: expect.stringContaining('.sluice') });
  });

  it('answers with the code when the disk is full, and leaves no half line', async () => {
    await mkdir(join(folder, '.sluice/runs/r'), { recursive: true });
    await symlink('/dev/full', path());
    expect(await append(event(1))).toMatchObject({ written: false, code: 'ENOSPC' });
  });

  it('refuses a run that would lead elsewhere', async () => {
    expect(await activities.appendJournal({ run: '../up', project: ref, events: [event(1)] })).toMatchObject({
      written: false,
      code: 'EINVAL',
    });
  });
});

describe('writeEnd', () => {
  const result = { schema_version: 3 as const, run_id: 'r', state: 'complete' as const, ok: true, nodes: [] };

  it('leaves both files whole and no drafts, also when said again', async () => {
    for (const note of ['first', 'second']) {
      expect(await activities.writeEnd({ run: 'r', project: ref, result, state: { note } })).toEqual({ written: true, seq: 0 });
    }
    const dir = join(folder, '.sluice/runs/r');
    expect((await readdir(dir)).sort()).toEqual(['result.json', 'state.json']);
    expect(JSON.parse(await readFile(join(dir, 'result.json'), 'utf8'))).toEqual(result);
    expect(JSON.parse(await readFile(join(dir, 'state.json'), 'utf8'))).toEqual({ note: 'second' });
  });

  it('puts the last words of the run into its journal first, once', async () => {
    await activities.appendJournal({ run: 'r', project: ref, events: [event(1)] });
    for (let again = 0; again < 2; again++)
      expect(await activities.writeEnd({ run: 'r', project: ref, events: [event(2)], result, state: {} })).toEqual({
        written: true,
        seq: 0,
      });
    const lines = (await readFile(join(folder, '.sluice/runs/r/events.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2]);
  });

  it('answers with the code when the disk refuses, and keeps the old file', async () => {
    await mkdir(join(folder, '.sluice/runs/r/state.json'), { recursive: true });
    expect(await activities.writeEnd({ run: 'r', project: ref, result, state: {} })).toMatchObject({ written: false, code: 'EISDIR' });
    expect(await readdir(join(folder, '.sluice/runs/r'))).toEqual(['state.json']);
  });
});

describe('readLog', () => {
  const LINE = 'aä€😀\n';
  const LOG = LINE.repeat(2_000);
  const read = (name: string, offset = 0, limit = 262_144) => activities.readLog({ run: 'r', project: ref, name, offset, limit });

  beforeEach(async () => {
    await mkdir(join(folder, '.sluice/runs/r/logs'), { recursive: true });
    await writeFile(join(folder, '.sluice/runs/r/logs/n.1.1.log'), LOG);
  });

  it.each([1, 5, 7, 1_000, 262_144, 10_000_000])('reads from piece to piece of %i bytes without breaking a character', async (limit) => {
    // a hundred lines have every offset of a small piece within a line; more would only open the file more often
    const log = limit < 10 ? LINE.repeat(100) : LOG;
    await writeFile(join(folder, '.sluice/runs/r/logs/n.1.1.log'), log);
    const pieces: string[] = [];
    let at = 0;
    for (;;) {
      const chunk = await read('n.1.1.log', at, limit);
      if (!chunk.found) throw new Error(chunk.code);
      if (chunk.offset === at) break;
      expect(Buffer.byteLength(chunk.text)).toBeLessThanOrEqual(Math.max(4, Math.min(limit, 262_144)));
      pieces.push(chunk.text);
      at = chunk.offset;
    }
    expect(pieces.join('')).toBe(log);
  });

  it.each(['../events.ndjson', '/etc/hostname', '..', '', 'a/b', 'a\\b'])('refuses %j', async (name) => {
    expect(await read(name)).toMatchObject({ found: false, code: 'EINVAL' });
  });

  it('says where it looked', async () => {
    expect(await read('absent.log')).toEqual({
      found: false,
      host: 'here',
      code: 'ENOENT',
      path: join(folder, '.sluice/runs/r/logs/absent.log'),
    });
  });

  it('follows no link out of the folder', async () => {
    await symlink('/etc/hostname', join(folder, '.sluice/runs/r/logs/link.log'));
    expect(await read('link.log')).toMatchObject({ found: false, code: 'ELOOP' });
  });
});

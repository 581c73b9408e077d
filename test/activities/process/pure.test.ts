// The parts that judge text and tables: frames, process tables, membership of a tree; and what the guard may load.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { frameHeader, FrameReader, TO_WORKER, type ToWorker } from '../../../activities/process/frames.js';
import { isSame, parsePs, parseStat, startOf, type ProcessEntry } from '../../../activities/process/identity.js';
import { findMarker } from '../../../activities/process/process-table.js';
import { membersOf, type TreeRoot } from '../../../activities/process/tree.js';
import { buildGuard } from '../../support/programs/build.js';

describe('frames', () => {
  it('arrive whole and in order, however the pipe cuts them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2 ** 32 - 1), fc.uint8Array({ maxLength: 50 }))), fc.array(fc.nat(40)), (frames, cuts) => {
        const wire = Buffer.concat(frames.flatMap(([id, bytes]) => [frameHeader(TO_WORKER.stdout, id, bytes.length), Buffer.from(bytes)]));
        const seen: [number, Uint8Array][] = [];
        const reader = new FrameReader<ToWorker>((_, id, payload) => seen.push([id, new Uint8Array(payload)]));
        let at = 0;
        for (const cut of cuts) reader.push(wire.subarray(at, (at += cut)));
        reader.push(wire.subarray(at));
        expect(seen).toEqual(frames);
      }),
    );
  });

  it('of an impossible length are refused, not waited for', () => {
    const reader = new FrameReader<ToWorker>(() => undefined);
    expect(() => reader.push(frameHeader(TO_WORKER.stdout, 1, 2 ** 31))).toThrow('out of step');
  });
});

describe('the identity of a process', () => {
  it('is read from /proc even with a hostile name', () => {
    const fields = Array.from({ length: 30 }, (_, n) => n + 8);
    const stat = `41 (a) b) Z 1 2 3) S 7 41 40 0 ${fields.join(' ')}`;
    expect(parseStat(stat, 'boot')).toEqual({ pid: 41, start: '22@boot', parent: 7, group: 41, session: 40, zombie: false });
  });

  it('is read from ps of macOS', () => {
    const table = '    1     0     1 Ss   Mon Nov  2 10:00:00 2026\n  501     1   501 Z    Tue Nov  3 11:22:33 2026    \n';
    expect(parsePs(table)).toEqual([
      { pid: 1, start: 'Mon Nov  2 10:00:00 2026', parent: 0, group: 1, session: 0, zombie: false },
      { pid: 501, start: 'Tue Nov  3 11:22:33 2026', parent: 1, group: 501, session: 0, zombie: true },
    ]);
  });

  it('holds for this process, and not with another start', () => {
    const start = startOf(process.pid) ?? '';
    expect([isSame(process.pid, start), isSame(process.pid, `${start}0`), startOf(2 ** 22 + 1)]).toEqual([true, false, undefined]);
  });
});

describe('the marker', () => {
  it.each([
    ['SLUICE_DISPATCH_KEY=k\0A=1\0', 'k'],
    ['A=1\0SLUICE_DISPATCH_KEY=k.2', 'k.2'],
    ['MY_SLUICE_DISPATCH_KEY=k\0', undefined],
    ['A=SLUICE_DISPATCH_KEY=k\0', undefined],
    ['', undefined],
  ])('is found by its whole name in %j', (environ, marker) => {
    expect(findMarker(environ)).toBe(marker);
  });
});

describe('the members of a tree', () => {
  const entry = (pid: number, parent: number, more: Partial<ProcessEntry> = {}): ProcessEntry => {
    return { pid, start: `t${pid}`, parent, group: 10, session: 10, zombie: false, ...more };
  };
  const own = { group: 90, session: 90 };
  const table = [
    entry(10, 1),
    entry(11, 10),
    entry(12, 11, { group: 12 }),
    entry(13, 12, { group: 13, session: 13 }),
    entry(14, 10, { zombie: true }),
    entry(20, 1, { ...own, pid: 20 }),
    entry(21, 20, own),
    entry(30, 1, own),
  ];
  const root: TreeRoot = { pid: 10, start: 't10', marker: 'm', ownsGroup: true, scope: 'tree' };
  const marked = new Map([['m', table.filter(({ pid }) => pid === 20)]]);
  const pids = (changes: Partial<TreeRoot>, among = table) => membersOf({ ...root, ...changes }, among, marked).map(({ pid }) => pid);

  it.each([
    ['all: group, session, descendants, the marked and theirs', {}, table, [10, 11, 12, 20, 13, 21]],
    ['of the group and session only', { scope: 'group' as const }, table, [10, 11, 12]],
    ['the marked alone when the leader is another process', { start: 'other', ownsGroup: false }, table, [20, 21]],
    ['the marked alone when the leader is gone', { ownsGroup: false }, table.slice(1), [20, 21]],
    ['none when there is no leader and no marker', { ownsGroup: false, marker: '', pid: 0, start: '' }, table, []],
  ])('%s', (_, changes, among, expected) => {
    expect(pids(changes, among)).toEqual(expected);
  });
});

describe('the guard', () => {
  it('loads node: built-ins only, so that it stays small', async () => {
    const guard = await buildGuard();
    await guard.remove();
    expect([...guard.externals].filter((name) => !name.startsWith('node:'))).toEqual([]);
  });
});

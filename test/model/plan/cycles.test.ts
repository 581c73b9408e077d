// The shortest circle of a graph, and that large ones do not cost seconds.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shortestCycles } from '../../../model/plan/cycles.js';

const cyclesOf = (graph: Record<string, string[]>) => shortestCycles(new Map(Object.entries(graph)));

describe('shortestCycles', () => {
  it.each([
    ['none in a line', { a: [], b: ['a'], c: ['b'] }, []],
    ['two that need each other', { a: ['b'], b: ['a'] }, [['a', 'b', 'a']]],
    ['the shorter of two through one node', { a: ['b', 'c'], b: ['d'], d: ['a'], c: ['a'] }, [['a', 'c', 'a']]],
    [
      'both of two that do not touch',
      { a: ['b'], b: ['a'], c: ['d'], d: ['e'], e: ['c'] },
      [
        ['a', 'b', 'a'],
        ['c', 'd', 'e', 'c'],
      ],
    ],
    ['none through what does not exist, or itself', { a: ['a', 'ghost'] }, []],
    ['nodes above and below a circle left out', { top: [], x: ['y', 'top'], y: ['x'], low: ['x'] }, [['x', 'y', 'x']]],
  ])('names %s', (_, graph, expected) => {
    expect(cyclesOf(graph as unknown as Record<string, string[]>)).toEqual(expected);
  });

  it('is empty for every graph whose edges go backwards only', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(30))), (edges) => {
        const graph = new Map(edges.map((to, i) => [`${i}`, to.filter((target) => target < i).map(String)]));
        expect(shortestCycles(graph)).toEqual([]);
      }),
    );
  });

  it('names real circles only, whatever the graph', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(8), { maxLength: 4 }), { maxLength: 9 }), (edges) => {
        const graph = new Map(edges.map((to, i) => [`${i}`, to.map(String)]));
        for (const cycle of shortestCycles(graph)) {
          expect(cycle.at(-1)).toBe(cycle[0]);
          for (const [i, id] of cycle.slice(0, -1).entries()) expect(graph.get(id)).toContain(cycle[i + 1]);
        }
      }),
    );
  });

  it('names a ring of ten thousand', () => {
    const ring = new Map(Array.from({ length: 10_000 }, (_, i) => [`n${i}`, [`n${(i + 1) % 10_000}`]]));
    expect(shortestCycles(ring)[0]).toHaveLength(10_001);
  }, 10_000);
});

// Closing what was opened.

import { describe, expect, it } from '@jest/globals';
import { closers } from '../../workers/closers.js';

describe('closers', () => {
  it('close last first, once, and past a failing one', async () => {
    const closed: number[] = [];
    const opened = closers();
    for (const n of [1, 2, 3]) {
      opened.add(async () => {
        closed.push(n);
        if (n === 2) throw new Error('cannot close 2');
      });
    }
    await expect(opened.close()).rejects.toThrow('cannot close 2');
    await opened.close();
    expect(closed).toEqual([3, 2, 1]);
  });
});

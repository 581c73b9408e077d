// Offsets of zones by the host's table.

import { describe, expect, it } from '@jest/globals';
import { zoneOffset } from '../../../activities/agents/zone.js';

const summer = Date.UTC(2026, 6, 1, 12);
const winter = Date.UTC(2026, 11, 1, 12);

describe('zoneOffset', () => {
  it.each([
    ['UTC', summer, 0],
    ['Europe/Berlin', summer, 120],
    ['Europe/Berlin', winter, 60],
    ['America/New_York', winter, -300],
    ['Asia/Kolkata', winter, 330],
    ['Mars/Base', winter, undefined],
    ['', winter, undefined],
  ])('of %s is the offset of that day', (name, utcMs, offset) => {
    expect(zoneOffset(name, utcMs)).toBe(offset);
  });

  it("without a name is this host's", () => {
    expect(zoneOffset(undefined, winter)).toBe(0 - new Date(winter).getTimezoneOffset());
  });
});

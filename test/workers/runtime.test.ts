// What the SDK has to say, as one line.

import { describe, expect, it } from '@jest/globals';
import { logLine } from '../../workers/runtime.js';

const entry = (message: string, meta?: Record<string, unknown>) => ({
  level: 'WARN' as const,
  message,
  timestampNanos: 0n,
  ...(meta && { meta }),
});

describe('a line of the SDK', () => {
  it.each([
    ['is its message', entry('slow'), 'WARN slow'],
    ['is one line', entry('a\nb'), 'WARN a b'],
    [
      'names the run and the dispatch, and leaves the rest out',
      entry('failed', { workflowId: 'run/x', activityId: 'a#1', namespace: 'default', attempt: 2 }),
      'WARN failed workflowId=run/x activityId=a#1 attempt=2',
    ],
    ['has an error without its stack', entry('failed', { error: new Error('no "disk"') }), 'WARN failed error="no \\"disk\\""'],
    [
      'has an error of the native side as it is',
      entry('failed', { error: 'Status { code: 5 }' }),
      'WARN failed error="Status { code: 5 }"',
    ],
  ])('%s', (_name, given, line) => {
    expect(logLine(given)).toBe(line);
  });
});

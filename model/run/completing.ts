// `complete`: the run ends as it stands; what is not settled is dropped (run.md).

import type { Draft } from './draft.js';

/** @returns why not */
export function completeRun(_draft: Draft, reason: string): string | undefined {
  return `not yet: complete (${reason})`;
}

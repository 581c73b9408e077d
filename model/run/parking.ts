// `park` and `unpark`: a node set aside, and returned (run.md). A running one is cancelled first; its return waits for that end.

import type { Draft } from './draft.js';

/** @returns why not */
export function parkNode(_draft: Draft, node: string): string | undefined {
  return `not yet: park ${node}`;
}

/** @returns why not */
export function unparkNode(_draft: Draft, node: string): string | undefined {
  return `not yet: unpark ${node}`;
}

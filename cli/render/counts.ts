// Nodes by status in a few words, the ones that matter first.

import type { Status } from '../../model/run/words.js';

const ORDER: readonly Status[] = [
  'failed',
  'waiting',
  'running',
  'ready',
  'blocked',
  'parked',
  'cancelled',
  'complete-draft',
  'pending',
  'done',
];

/** `1 failed, 2 running, 14 done`; empty when nothing is known. */
export function counted(counts: Partial<Record<Status, number>> | undefined): string {
  if (counts === undefined) return '';
  return ORDER.filter((status) => (counts[status] ?? 0) > 0)
    .map((status) => `${counts[status]} ${status}`)
    .join(', ');
}

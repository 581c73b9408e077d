// Cancelling: a node, or the whole run. Asked, then killed; every node settles (run.md, Cancelling).

import { nodeAt, type Draft } from './draft.js';
import { isEnd } from './frontier.js';
import { killFlight, stopFlight } from './flights.js';
import { settle } from './settlement.js';

/** Cancels one node that has not settled. `graceMs` undefined: the setting's grace; 0: kill now. */
export function cancelNode(draft: Draft, i: number, graceMs: number | undefined): void {
  if (nodeAt(draft, i).status === 'running') stopFlight(draft, i, 'cancel', graceMs);
  else settle(draft, i, { status: 'cancelled', detail: 'cancelled before it began' });
}

/** Cancels the run: what runs is asked to stop, everything else settles now. A second time kills. */
export function cancelRun(draft: Draft, graceMs: number | undefined): undefined {
  draft.state.phase = 'cancelling';
  for (const i of draft.graph.order) if (!isEnd(nodeAt(draft, i))) cancelNode(draft, i, graceMs);
  return undefined;
}

/** Kills what outlasted a grace of its own. */
export function expireGraces(draft: Draft): void {
  if (draft.state.graceAt === undefined || draft.state.graceAt > draft.now) return;
  delete draft.state.graceAt;
  draft.state.nodes.forEach((node, i) => {
    const at = node.flight?.killAt;
    if (at === undefined) return;
    if (at <= draft.now) killFlight(draft, i);
    else draft.state.graceAt = Math.min(draft.state.graceAt ?? at, at);
  });
}

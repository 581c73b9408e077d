// The result document, derived from a state (run.md, The result). A cancelled run is written as failed.

import { MAX_TEXT_BYTES } from '../event.js';
import { render } from '../plan/expressions.js';
import { cutText } from '../text.js';
import { causesOf, shownStatus } from './blocking.js';
import { graphOf } from './graph.js';
import type { ResultV3 } from './result.js';
import type { NodeState, RunState } from './state.js';
import { valuesFor } from './values.js';

/** The document of the run as it stands; with something still running its state is `waiting` (`--partial`). */
export function resultOf(state: RunState): ResultV3 {
  const causes = causesOf(state);
  const nodes = state.nodes.map((node, i) => nodeResult(state, node, i, causes[i] ?? []));
  const word = documentState(state);
  return { schema_version: 3, run_id: state.input.run, state: word, ok: word === 'complete', nodes };
}

function documentState(state: RunState): ResultV3['state'] {
  if (state.phase === 'open' || state.phase === 'cancelling') return 'waiting';
  if (state.settledAs !== undefined) return state.settledAs === 'complete' ? 'complete' : 'failed';
  if (state.cancelled === true || state.journal.lost) return 'failed';
  return state.nodes.every((node) => node.status === 'done') ? 'complete' : 'failed';
}

function nodeResult(state: RunState, node: NodeState, i: number, causes: readonly string[]): ResultV3['nodes'][number] {
  const id = graphOf(state.input.plan.nodes).nodes[i]?.id ?? '';
  const status = shownStatus(node, causes);
  const decision = state.decisions.find((one) => one.reference === id);
  return {
    id,
    status,
    ...(node.outcome === undefined ? {} : { outcome: node.outcome }),
    ...(decision === undefined ? {} : { action: actionOf(state, i), unblocks: decision.unblocks }),
    ...(status === 'blocked' ? { blocked_by: [...causes] } : {}),
  };
}

/** What the person is asked to do, at most 4 KiB of it: answers to queries are bounded. */
export function actionOf(state: RunState, i: number): string {
  const ask = state.input.plan.nodes[i]?.human?.ask ?? '';
  return cutText(render(ask, valuesFor(state, i, ask)), MAX_TEXT_BYTES);
}

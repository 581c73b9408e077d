// Edits of the live graph: add, reparent, drop; judged against the graph as it is and the dispatches in flight (run.md).

import type { CommandOf } from '../messages.js';
import { nodeSpecOf } from '../plan/compiled-schema.js';
import type { Draft } from './draft.js';

/** Adds a node under the given needs. @returns why not */
export function addToGraph(_draft: Draft, spec: CommandOf<'add'>['spec']): string | undefined {
  return `not yet: add ${nodeSpecOf(spec).id}`;
}

/** Gives a node other needs. @returns why not */
export function reparentNode(_draft: Draft, node: string, _needs: CommandOf<'reparent'>['needs']): string | undefined {
  return `not yet: reparent ${node}`;
}

/** Takes a node out of the graph; a running one is cancelled first. @returns why not */
export function dropFromGraph(_draft: Draft, node: string, _dependents: CommandOf<'drop'>['dependents']): string | undefined {
  return `not yet: drop ${node}`;
}

// What an agent says from inside its own dispatch: surfaces, notes, done, and what it tried and may not (agents.md).

import type { Fact } from '../messages.js';
import type { Draft } from './draft.js';

export type InsideFact = Extract<Fact, { kind: 'surface' | 'reply-taken' | 'note' | 'done' | 'refused' }>;

/** Takes one fact about node `i`, whose dispatch is out. */
export function takeFromInside(_draft: Draft, _i: number, fact: InsideFact): void {
  throw new Error(`not yet: ${fact.kind} from inside a dispatch`);
}

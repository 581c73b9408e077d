// Needs across runs: nodes of other runs that this one needs, and other runs that need nodes of this one (run.md).

import type { Subscribe, Upstream } from '../messages.js';
import type { Draft } from './draft.js';
import type { Described, SubscribeAnswer } from './inputs.js';

/** Another run wants to know how a node here settles. */
export function takeSubscription(_draft: Draft, _subscribe: Subscribe): void {
  throw new Error('not yet: subscriptions');
}

/** A node of another run has settled. */
export function takeUpstream(_draft: Draft, _upstream: Upstream): void {
  throw new Error('not yet: upstreams');
}

/** What came of asking another run. */
export function takeSubscribed(_draft: Draft, _run: string, _node: string, _answer: SubscribeAnswer): void {
  throw new Error('not yet: upstreams');
}

/** What became of other workflows that have not reported. */
export function takeDescribed(_draft: Draft, _described: Described[]): void {
  throw new Error('not yet: the sweep');
}

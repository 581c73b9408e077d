// The activity `subscribeNode`: asks another run to tell how a node settles, or reads it if that run is closed.

import type { Activities } from './contract.js';

/** Makes the activity. */
export function nodeSubscriber(): Activities['subscribeNode'] {
  return async () => Promise.reject(new Error('not yet: subscribeNode'));
}

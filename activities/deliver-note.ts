// The activity `deliverNote`: words into the turn that runs on this host (run.md, Notes).

import type { Activities } from './contract.js';
import type { Registry } from './dispatch/registry.js';

/** Makes the activity. */
export function noteDeliverer(_registry: Registry): Activities['deliverNote'] {
  return async () => Promise.reject(new Error('not yet: deliverNote'));
}

// The activity `askHandover`: a dispatch of this host is to return with its session (run.md, Size).

import type { Activities } from './contract.js';
import type { Registry } from './dispatch/registry.js';

/** Makes the activity. */
export function handoverAsker(_registry: Registry): Activities['askHandover'] {
  return async () => Promise.reject(new Error('not yet: askHandover'));
}

// The activity `verifyAttestation`: checks an Ed25519 signature by the keys in the project's config.

import type { Activities } from './contract.js';
import type { ActivityDeps } from './deps.js';

/** Makes the activity. */
export function attestationVerifier(_deps: ActivityDeps): Activities['verifyAttestation'] {
  return async () => Promise.reject(new Error('not yet: verifyAttestation'));
}

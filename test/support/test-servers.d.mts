// Types of test-servers.mjs, for tests in TypeScript.

import type { endProcess, isRunning, ProcessIdentity } from '../../temporal-dev/process-identity.js';

export function record(owner: ProcessIdentity, server: ProcessIdentity): () => void;
export function sweep(identities: { isRunning: typeof isRunning; endProcess: typeof endProcess }): Promise<void>;

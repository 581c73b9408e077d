// The activities of a worker, built from what the worker gives them. Workflows know them by their types alone (contract.ts).

import type { Activities } from './contract.js';
import type { ActivityDeps } from './deps.js';
import { dispatcher } from './dispatch/dispatch.js';
import { Registry } from './dispatch/registry.js';
import { endWriter } from './end.js';
import { journalAppender } from './journal.js';
import { logReader } from './read-log.js';
import { noteDeliverer } from './deliver-note.js';
import { workflowDescriber } from './describe.js';
import { handoverAsker } from './ask-handover.js';
import { cancelRequester } from './request-cancel.js';
import { nodeSubscriber } from './subscribe.js';
import { attestationVerifier } from './verify.js';

export type { ActivityDeps } from './deps.js';

/** One object for all queues of a process: a dispatch must be found by `killDispatch` on whichever queue it runs. */
export function createActivities(deps: ActivityDeps): Activities {
  const appendJournal = journalAppender(deps);
  const registry = new Registry();
  return {
    dispatch: dispatcher(deps, registry),
    appendJournal,
    writeEnd: endWriter(deps, appendJournal),
    killDispatch: async ({ run, dispatch }) => ({ found: registry.kill(run, dispatch) }),
    deliverNote: noteDeliverer(registry),
    askHandover: handoverAsker(registry),
    verifyAttestation: attestationVerifier(deps),
    subscribeNode: nodeSubscriber(),
    describeWorkflows: workflowDescriber(),
    requestCancel: cancelRequester(),
    readLog: logReader(deps),
  };
}

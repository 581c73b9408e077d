// The SDK's runtime of a test process: warnings only. Whoever needs it first installs it.

import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/** A runtime can be installed once per process, and before anything of the SDK uses it. */
export function quietRuntime(): void {
  if (!installed) Runtime.install({ logger: new DefaultLogger('WARN') });
  installed = true;
}

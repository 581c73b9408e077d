// Makes the workflow bundle when the package is built (`node dist/workers/bundle.js`), so that a worker starts without webpack.
// The same function serves tests and benches with workflow files of their own.

import { rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

/** Where a built package has its bundle: `dist/workflow-bundle.js`. */
export const BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

/** The entry file beside this folder, compiled or as source. */
function entryFile(): string {
  const [compiled, source] = ['../workflows/index.js', '../workflows/index.ts'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  return existsSync(compiled!) ? compiled! : source!;
}

/**
 * Bundles what `workflowsPath` exports and writes it, whole or not at all.
 * @throws what webpack finds: a node built-in or a library that does not belong in the sandbox
 */
export async function writeBundle(outFile: string = BUNDLE_PATH, workflowsPath: string = entryFile()): Promise<void> {
  // webpack's progress is noise in a build; its warnings are not
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  const part = `${outFile}.${process.pid}.part`;
  await writeFile(part, code);
  await rename(part, outFile);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeBundle();

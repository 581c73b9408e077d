// Before all files of the timeskip project: dist/ is built and the jars of the time-skipping server are there. Each file starts a
// server of its own (time-server.ts). SLUICE_TEST_TIME_JARS tells the folder, or SLUICE_TEST_TIME_MISSING what is missing for it.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { installTestServer, missingTool } from '../../scripts/install-test-server.mjs';
import { BUNDLE, ensureBuilt, ROOT } from './build.mjs';

export default async function globalTimeSetup() {
  await ensureBuilt();
  process.env.SLUICE_TEST_BUNDLE = BUNDLE;
  const { cacheDir } = await import(join(ROOT, 'dist/model/paths.js'));
  const cache = cacheDir({ env: process.env, home: homedir() });
  const missing = await missingTool(cache);
  if (missing === undefined) process.env.SLUICE_TEST_TIME_JARS = await installTestServer(cache);
  else {
    process.env.SLUICE_TEST_TIME_MISSING = missing;
    process.stderr.write(`timeskip: tests of hours and days are skipped: ${missing}\n`);
  }
}

// Before all files of the server project: dist/ is built and one dev server in memory serves them all.
// SLUICE_TEST_ADDRESS and SLUICE_TEST_BUNDLE tell them; a SLUICE_TEST_ADDRESS that is set already names a server to use instead.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { BUNDLE, ensureBuilt, ROOT } from './build.mjs';
import { record, sweep } from './test-servers.mjs';

/** As the pair registers them. */
const SEARCH_ATTRIBUTES = { SluiceState: 'Keyword', SluiceWaiting: 'Int', SluicePlan: 'Keyword' };

const built = (path) => import(join(ROOT, 'dist', path));

async function startServer() {
  const [{ cacheDir }, { locateCli }, { startDevServer }, { progressLines }, identities] = await Promise.all([
    built('model/paths.js'),
    built('temporal-dev/locate.js'),
    built('temporal-dev/server.js'),
    built('temporal-dev/progress.js'),
    built('temporal-dev/process-identity.js'),
  ]);
  await sweep(identities);
  const where = { env: process.env, cacheDir: cacheDir({ env: process.env, home: homedir() }) };
  const cli = await locateCli({ ...where, onProgress: progressLines((line) => process.stderr.write(`${line}\n`)) });
  if ('refused' in cli) throw new Error(cli.refused);
  const owner = await identities.identify(process.pid);
  // port 0: any free one, so that runs beside each other, and beside a person's own server, do not meet
  const options = { cli: cli.path, port: 0, searchAttributes: SEARCH_ATTRIBUTES };
  let forget = () => {};
  const onSpawn = async (server) => {
    forget = record(owner, server);
  };
  const server = await startDevServer({ ...options, onSpawn });
  return { address: server.address, pid: server.pid, stop: () => server.stop().then(forget) };
}

export default async function globalSetup() {
  await ensureBuilt();
  process.env.SLUICE_TEST_BUNDLE = BUNDLE;
  if (process.env.SLUICE_TEST_ADDRESS) return;
  const server = await startServer();
  process.env.SLUICE_TEST_ADDRESS = server.address;
  globalThis.sluiceTestServer = server;
  // an interrupted jest skips its teardown; a handler of `exit` can only send a signal
  server.onExit = () => process.kill(server.pid, 'SIGTERM');
  process.once('exit', server.onExit);
}

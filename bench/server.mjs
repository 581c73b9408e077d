// The bench's server: the tuned dev server, in memory, or one that is already there.

import { homedir } from 'node:os';
import { built } from './built.mjs';

/** Far from the ports of a dev server that somebody works with; another is taken when it is in use. */
const PORT = 17_233;

/** Opens a server of our own, or takes the one at `address`. */
export async function openServer(address) {
  if (address !== undefined) return { address, close: async () => {} };
  const { cacheDir } = await built('model/paths.js');
  const { locateCli } = await built('temporal-dev/locate.js');
  const { startDevServer } = await built('temporal-dev/server.js');
  const { env } = process;
  const cli = await locateCli({ env, cacheDir: cacheDir({ env, home: homedir() }) });
  if (cli.refused) throw new Error(cli.refused);
  const server = await startDevServer({ cli: cli.path, port: PORT, searchAttributes: {} });
  return { address: server.address, close: server.stop };
}

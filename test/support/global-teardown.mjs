// After all files of the server project: ends the dev server that global-setup.mjs started.

export default async function globalTeardown() {
  const server = globalThis.sluiceTestServer;
  if (!server) return; // somebody else's
  process.off('exit', server.onExit);
  await server.stop();
  delete process.env.SLUICE_TEST_ADDRESS;
}

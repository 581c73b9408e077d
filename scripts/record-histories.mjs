// Records histories of the built product for the replay tests: node scripts/record-histories.mjs [FOLDER].
// A folder per release, test/replay/histories/<version>/; those of earlier releases are never recorded again.

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const dist = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const [{ cacheDir }, { locateCli }, { startDevServer }, { runWorkers }] = await Promise.all(
  ['model/paths.js', 'temporal-dev/locate.js', 'temporal-dev/server.js', 'workers/build.js'].map(dist),
);
const [{ DEFAULT_SETTINGS }, { RULES }] = await Promise.all(['model/settings.js', 'model/rules.js'].map(dist));

const base = (id, needs) => ({
  id,
  labels: {},
  needs: needs.map((node) => ({ node })),
  startIf: 'needs-done',
  lock: [],
  timeoutMs: 60_000,
  expectsNoDiff: false,
  notify: true,
  onQuota: 'fail',
});
const env = { pass: [], set: {} };
const program = (id, needs = [], argv = ['true']) => ({ ...base(id, needs), kind: 'run', run: { argv, env, attempts: 1, okCodes: [0] } });
const human = (id, needs = []) => ({
  ...base(id, needs),
  kind: 'human',
  human: { ask: 'look', choices: [{ name: 'attested' }], onDeadline: 'fail', while: 'waiting' },
});

/** Each: nodes, settings beside the defaults, and what is done to the run once it waits. */
const SCENES = {
  diamond: { nodes: [program('a'), program('b', ['a']), program('c', ['a']), program('d', ['b', 'c'])] },
  gate: { nodes: [program('a'), human('ok', ['a']), program('z', ['ok'])], waiting: (handle) => handle.signal('attest', { node: 'ok' }) },
  failure: { nodes: [program('a', [], ['false']), program('b', ['a']), program('e')] },
  cancelled: {
    nodes: [human('ok'), program('s', [], ['sleep', '60'])],
    settings: { graceMs: 500 },
    waiting: (handle) => handle.signal('cancel', {}),
  },
  'rolled-over': {
    nodes: Array.from({ length: 12 }, (_, i) => program(`n${i}`, i === 0 ? [] : [`n${i - 1}`])),
    settings: { rollAtEvents: 30 },
  },
};

async function record(client, place, name, { nodes, settings = {}, waiting }) {
  const run = `recorded-${name}`;
  const input = {
    run,
    plan: { version: 1, name, concurrency: 4, inputs: {}, nodes },
    project: { id: 'recorded', dir: place.dir },
    home: place.host,
    fleet: place.fleet,
    settings: { ...DEFAULT_SETTINGS, ...settings },
    startedBy: { author: 'operator' },
    searchAttributes: false,
    rules: RULES,
    attestAhead: [],
  };
  const handle = await client.workflow.start('run', { taskQueue: place.fleet, workflowId: `run/${run}`, args: [input] });
  if (waiting) {
    while (!(await handle.query('status')).waiting.length) await new Promise((resolve) => setTimeout(resolve, 100));
    await waiting(handle);
  }
  // a cancelled run rejects: that it ended is all that matters here
  await handle.result().catch(() => undefined);
  const last = await client.workflow.getHandle(`run/${run}`).describe();
  return [...new Set([handle.firstExecutionRunId, last.runId])];
}

const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
const out = process.argv[2] ?? join(ROOT, 'test', 'replay', 'histories', version);
const dir = await mkdtemp(join(tmpdir(), 'sluice-record-'));
// histories name the host: nothing of this machine goes into them
await mkdir(join(dir, 'state'));
await writeFile(join(dir, 'state', 'host-id'), 'recorded\n');
const cli = await locateCli({ env: process.env, cacheDir: cacheDir({ env: process.env, home: homedir() }) });
if (cli.refused) throw new Error(cli.refused);
const server = await startDevServer({ cli: cli.path, port: 18_233, searchAttributes: {} });
const fleet = `record-${randomUUID().slice(0, 4)}`;
const workers = await runWorkers({
  address: server.address,
  namespace: 'default',
  stateDir: join(dir, 'state'),
  fleet,
  graceMs: 500,
  log: console.error,
});
const connection = await Connection.connect({ address: server.address });
try {
  await mkdir(out, { recursive: true });
  for (const [name, scene] of Object.entries(SCENES)) {
    const ids = await record(new Client({ connection, identity: 'recorder' }), { dir, fleet, host: workers.host }, name, scene);
    for (const [i, id] of ids.entries()) {
      const history = await new Client({ connection }).workflow.getHandle(`run/recorded-${name}`, id).fetchHistory();
      const bytes = proto.temporal.api.history.v1.History.encode(history).finish();
      await writeFile(join(out, `${name}${i === 0 ? '' : '-last'}.b64`), `${Buffer.from(bytes).toString('base64')}\n`);
    }
    console.log(`${name}: ${ids.length} recorded`);
  }
} finally {
  await workers.shutdown();
  await connection.close();
  await server.stop();
  await rm(dir, { recursive: true, force: true });
}

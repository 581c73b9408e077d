// `npm run bench`: Sluice's engine against the bare SDK on the same graphs, the same server, in the same run (operations.md, Speed).
// Options: --quick (fewer repetitions), --large (10,000 wide), --only WORD, --repetitions N, --json, --check (exit 1 above a bar),
// --address HOST:PORT (a server that is already there).

import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { judge, judgeGrowth } from './bars.mjs';
import { built } from './built.mjs';
import { startWorker, watchMemory } from './processes.mjs';
import { questionsOf, warmUp } from './questions.mjs';
import { openServer } from './server.mjs';
import { bareSide, sluiceSide } from './sides.mjs';
import { printMemory, printTable } from './table.mjs';

/** Slots of every side: as many as a run may have in flight. Real programs get fewer, since each is a process. */
const SLOTS = 1_000;
const PROGRAM_SLOTS = 16;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    only: { type: 'string' },
    repetitions: { type: 'string' },
    address: { type: 'string' },
  },
});

let interrupted = false;

/** Starts the three kinds of worker, each in a process of its own, so that memory and garbage are each one's own. */
async function openSides({ client, bareClient }, address, dir, cleanup) {
  const { writeBundle } = await built('workers/bundle.js');
  const bundlePath = join(dir, 'bare-bundle.js');
  await writeBundle(bundlePath, fileURLToPath(new URL('./bare-workflow.js', import.meta.url)));
  const start = async (side, script, settings) => {
    const worker = await startWorker(script, { address, ...settings });
    const memory = watchMemory(worker.pid);
    cleanup.push(async () => {
      await memory();
      await worker.stop();
    });
    return { ...worker, peak: async () => ({ side, ...(await memory()), ...(side === 'bare' && { guardMb: 0 }) }) };
  };
  const bare = await start('bare', './bare-worker.mjs', {
    queue: 'bare',
    hostQueue: 'bare/host',
    bundlePath,
    slots: SLOTS,
    programSlots: PROGRAM_SLOTS,
  });
  const stateDir = join(dir, 'state');
  const sluice = await start('sluice', './sluice-worker.mjs', { fleet: 'bench', stateDir, slots: SLOTS });
  const programs = await start('programs', './sluice-worker.mjs', { fleet: 'bench-programs', stateDir, slots: PROGRAM_SLOTS, real: true });
  const project = { id: 'bench', dir };
  const { host } = sluice;
  const bareOf = (name, activities) => bareSide(bareClient, { name, queue: 'bare', activities, project });
  return {
    workers: [bare, sluice, programs],
    // as any run with a home has them: the host's activities on the host's queue
    bare: bareOf('bare', 'bare/host'),
    // a queue shared with the workflow lets the SDK start an activity with the workflow task's answer
    eager: bareOf('bare, eager', 'bare'),
    spawning: bareOf('bare, spawn', 'bare/host/programs'),
    sluice: sluiceSide(client, { name: 'sluice', fleet: 'bench', project, home: host }),
    noJournal: sluiceSide(client, { name: 'no journal', fleet: 'bench', project }),
    programs: sluiceSide(client, { name: 'programs', fleet: 'bench-programs', project, home: host }),
  };
}

async function measureAll(cleanup) {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  cleanup.push(() => rm(dir, { recursive: true, force: true }));
  const server = await openServer(options.address);
  cleanup.push(server.close);
  const connection = await Connection.connect({ address: server.address });
  // calls that an interrupted question still makes must not meet a closed channel
  cleanup.push(async () => interrupted || connection.close());
  const { createDataConverter } = await built('workers/codec/index.js');
  const client = new Client({ connection, dataConverter: createDataConverter({ payloadDir: join(dir, 'state', 'payloads') }) });
  // nothing of ours is between the bare side and the server
  const bareClient = new Client({ connection });
  const sides = await openSides({ client, bareClient }, server.address, dir, cleanup);
  const asked = questionsOf(client, sides, options);
  await warmUp(sides);
  const questions = [];
  for (const question of asked) {
    if (!options.json) process.stderr.write(`${question.name} …\n`);
    questions.push(await question.ask());
  }
  return { questions, memory: await Promise.all(sides.workers.map((worker) => worker.peak())) };
}

/** Other work on the machine falls on the sides unevenly: the bare workflow's one big task is the first to run out of its 5 s. */
function machine() {
  const [load] = loadavg();
  const cores = availableParallelism();
  return { cores, load, node: process.version, busy: load > cores / 2 };
}

async function main() {
  const before = machine();
  if (before.busy) process.stderr.write(`load ${before.load.toFixed(1)} on ${before.cores} cores: these figures will not be worth much\n`);
  const cleanup = [];
  // the server is in a process group of its own: whoever stops the bench must not leave it behind
  const stop = async (signal) => {
    if (interrupted) return;
    interrupted = true;
    await closeAll(cleanup);
    process.exit(signal === 'SIGTERM' ? 143 : 130);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const measured = await measureAll(cleanup);
    const questions = judge(measured.questions);
    const growth = judgeGrowth(questions);
    if (options.json) console.log(JSON.stringify({ machine: before, questions, growth, memory: measured.memory }, null, 2));
    else {
      console.log(printTable(questions));
      if (growth) console.log(`${growth.met ? 'met' : 'MISSED'}: ${growth.text} (${growth.ratio.toFixed(2)})`);
      console.log(printMemory(measured.memory));
      console.log(`${before.cores} cores, Node ${before.node}, load ${before.load.toFixed(1)} at the start`);
    }
    const missed = questions.some(({ bar }) => bar?.met === false) || growth?.met === false;
    await closeAll(cleanup);
    return options.check && missed ? 1 : 0;
  } catch (error) {
    // the question was cut off, and `stop` is closing what is open; it exits
    if (interrupted) return await new Promise(() => {});
    await closeAll(cleanup);
    throw error;
  }
}

async function closeAll(cleanup) {
  for (let close = cleanup.pop(); close; close = cleanup.pop()) await close();
}

process.exitCode = await main();

// What someone would write with the SDK alone: the same graph, the same activity, promises for needs. No model, no journal, no queries.
// Its activity takes and returns what Sluice's does, to the byte as near as can be: the comparison is of engines, not of payloads.

import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';

const dispatchOn = (taskQueue) =>
  proxyActivities({ startToCloseTimeout: '60 minutes', heartbeatTimeout: '15 seconds', taskQueue }).dispatch;

const LIMITS = {
  timeoutMs: 2_700_000,
  graceMs: 300_000,
  resultGraceMs: 30_000,
  heartbeatMs: 5_000,
  quietMs: 2_400_000,
  attempts: 1,
  backoffMs: 5_000,
  backoffMaxMs: 120_000,
  maxDeaths: 10,
};

const WORK = { kind: 'run', argv: ['true'], env: { pass: [], set: {} }, okCodes: [0] };

function inputOf(run, project, name, needs) {
  const values = { inputs: {}, needs: Object.fromEntries(needs.map((need) => [need, { output: '' }])), run: { id: run } };
  return { run, id: `${name}#1`, node: name, project, work: WORK, limits: LIMITS, values };
}

const nameOf = (index) => `node-${String(index).padStart(5, '0')}`;

/** At most `bound` at once, in order: the server wedges beyond 2,000 pending activities. */
function slots(bound) {
  let free = bound;
  const waiting = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Runs the graph, its activities on `queue`; `needs[i]` are indices below i. */
export async function bareGraph({ run, project, queue, needs, concurrency }) {
  const dispatch = dispatchOn(queue);
  const slot = slots(concurrency);
  const settled = [];
  needs.forEach((of, index) => {
    const ready = Promise.all(of.map((need) => settled[need]));
    settled.push(ready.then(() => slot(() => dispatch(inputOf(run, project, nameOf(index), of.map(nameOf))))));
  });
  const results = await Promise.all(settled);
  return results.filter((result) => result.ok).length;
}

export const goOn = defineSignal('goOn');

/** Waits for a signal, runs one activity, `count` times. */
export async function bareGates({ run, project, queue, count }) {
  const dispatch = dispatchOn(queue);
  let signals = 0;
  setHandler(goOn, () => {
    signals += 1;
  });
  for (let index = 0; index < count; index++) {
    await condition(() => signals > index);
    await dispatch(inputOf(run, project, nameOf(index), []));
  }
}

// Which queues a worker polls, as a table.

import { describe, expect, it } from '@jest/globals';
import { queuePlans, type WorkerRoles, type WorkerSlots } from '../../workers/queue-plan.js';
import { workerOptions } from '../../workers/worker-options.js';

const plans = (roles: WorkerRoles, slots: WorkerSlots) =>
  queuePlans('f', 'h', roles, slots).map(({ queue, slots: count }) => `${queue} ${count}`);

describe('the queues of a worker', () => {
  it.each<[string, WorkerRoles, WorkerSlots, string[]]>([
    [
      'by default are all',
      {},
      { agents: 4, programs: 2 },
      ['f/host/h 100', 'f/host/h/programs 2', 'f/host/h/agents 4', 'f/programs 2', 'f/agents 4', 'f 100'],
    ],
    [
      'leave out workflows',
      { workflows: false },
      { agents: 1, programs: 1 },
      ['f/host/h 100', 'f/host/h/programs 1', 'f/host/h/agents 1', 'f/programs 1', 'f/agents 1'],
    ],
    ['leave out what has no slots', {}, { agents: 0, programs: 3 }, ['f/host/h 100', 'f/host/h/programs 3', 'f/programs 3', 'f 100']],
    [
      'hold a place for each session an executor began',
      { workflows: false, home: false, executors: { gpu: 2, mac: 1 } },
      { agents: 4, programs: 4 },
      ['f/host/h 100', 'f/host/h/agents 2', 'f/x/gpu 2', 'f/x/mac 1'],
    ],
  ])('%s', (_name, roles, slots, expected) => {
    expect(plans(roles, slots)).toEqual(expected);
  });

  it('give dispatches to none but their own queues, and bookkeeping to the host alone', () => {
    const all = queuePlans('f', 'h', { executors: { gpu: 1 } }, { agents: 1, programs: 1 });
    expect(all.filter((plan) => plan.activities.includes('dispatch')).map((plan) => plan.queue)).toEqual([
      'f/host/h/programs',
      'f/host/h/agents',
      'f/programs',
      'f/agents',
      'f/x/gpu',
    ]);
    expect(all.filter((plan) => plan.activities.includes('appendJournal')).map((plan) => plan.queue)).toEqual(['f/host/h']);
    expect(all.filter((plan) => plan.workflows).map((plan) => plan.queue)).toEqual(['f']);
  });
});

describe('the options of one worker', () => {
  const plan = { queue: 'q', workflows: false, activities: ['dispatch' as const], slots: 3 };

  it('tell activities of a shutdown at once, and force it after the grace', () => {
    expect(workerOptions(plan, 25_000)).toMatchObject({
      shutdownGraceTime: 0,
      shutdownForceTime: 55_000,
      maxHeartbeatThrottleInterval: '1s',
    });
  });

  it('never poll for more than there are slots', () => {
    expect(workerOptions(plan, 0)).toMatchObject({ maxConcurrentActivityTaskExecutions: 3, maxConcurrentActivityTaskPolls: 3 });
    expect(workerOptions({ ...plan, slots: 500 }, 0)).toMatchObject({ maxConcurrentActivityTaskPolls: 32 });
  });

  it("give up a dead worker's sticky queue after 2 s", () => {
    expect(workerOptions({ queue: 'q', workflows: true, activities: [], slots: 1 }, 0)).toMatchObject({
      stickyQueueScheduleToStartTimeout: '2s',
    });
  });
});

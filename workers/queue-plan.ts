// Which task queues one worker process polls, with what and how wide. Pure: build.ts makes Temporal workers of it.

import type { Activities } from '../activities/contract.js';
import { queues } from '../model/ids.js';

export interface WorkerRoles {
  /** polls the fleet's own queue for workflows; default true */
  workflows?: boolean;
  /** takes programs and agents of runs whose home this host is, and of runs without a home; default true */
  home?: boolean;
  /** executor name to its capacity here */
  executors?: Readonly<Record<string, number>>;
}

export interface WorkerSlots {
  agents: number;
  programs: number;
}

export interface QueuePlan {
  queue: string;
  workflows: boolean;
  activities: (keyof Activities)[];
  slots: number;
}

/** Bookkeeping is small writes and reads; none waits for another. A run has one journal batch in flight, so this is runs at once. */
const BOOKKEEPING_SLOTS = 100;

/** What needs this host's disk or processes. */
const OF_HOST: (keyof Activities)[] = [
  'appendJournal',
  'writeEnd',
  'killDispatch',
  'readLog',
  'deliverNote',
  'askHandover',
  'verifyAttestation',
];
/** What any worker can do. */
const OF_FLEET: (keyof Activities)[] = ['requestCancel', 'subscribeNode', 'describeWorkflows'];

/**
 * The queues of operations.md, Workers. A queue without slots is left out.
 * The host's own two are always there: whoever runs a dispatch must be reachable for its log, its end and its continued sessions.
 * Each queue has slots of its own: a slot shared between queues would be held by whichever poll came first, empty queue or not.
 */
export function queuePlans(fleet: string, host: string, roles: WorkerRoles, slots: WorkerSlots): QueuePlan[] {
  const executors = Object.entries(roles.executors ?? {});
  const takesOwn = roles.home ?? true;
  const own = (count: number): number => (takesOwn ? count : 0);
  // an agent whose session was begun for an executor is continued here, so that host needs as many places as it ever began
  const continued = Math.max(own(slots.agents), ...executors.map(([, count]) => count));
  const dispatch = (queue: string, count: number): QueuePlan => ({ queue, workflows: false, activities: ['dispatch'], slots: count });
  const all: QueuePlan[] = [
    { queue: queues.host(fleet, host), workflows: false, activities: OF_HOST, slots: BOOKKEEPING_SLOTS },
    dispatch(queues.hostPrograms(fleet, host), own(slots.programs)),
    dispatch(queues.hostAgents(fleet, host), continued),
    dispatch(queues.programs(fleet), own(slots.programs)),
    dispatch(queues.agents(fleet), own(slots.agents)),
    ...executors.map(([name, count]) => dispatch(queues.executor(fleet, name), count)),
  ];
  // workflows last: a run must not start before somebody can take its first dispatch
  if (roles.workflows ?? true) all.push({ queue: queues.main(fleet), workflows: true, activities: OF_FLEET, slots: BOOKKEEPING_SLOTS });
  return all.filter((plan) => plan.slots > 0);
}

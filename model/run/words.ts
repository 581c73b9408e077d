// The words of the engine (run.md): statuses, outcomes, states of the run. Closed lists.

export const STATUSES = [
  'pending',
  'ready',
  'running',
  'waiting',
  'blocked',
  'done',
  'failed',
  'cancelled',
  'parked',
  'complete-draft',
] as const;
export type Status = (typeof STATUSES)[number];

export const OUTCOMES = [
  'infrastructure-failure',
  'no-agent-progress',
  'task-failed',
  'task-failed-change-open',
  'timed-out',
  'budget-spent',
  'output-refused',
  'quota',
  'interrupted',
  'project-missing',
  'refused-login',
  'no-work',
  'defect',
  'rejected',
  'deadline',
  'attested',
  'skipped',
  'no-changes',
] as const;
export type Outcome = (typeof OUTCOMES)[number] | (string & {});

export const RUN_STATES = ['running', 'waiting', 'complete', 'failed', 'cancelled'] as const;
export type RunStateWord = (typeof RUN_STATES)[number];

export const AUTHORS = ['operator', 'planner', 'monitor', 'agent'] as const;
export type Author = (typeof AUTHORS)[number];

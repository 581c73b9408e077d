// Names of everything that is said to a run and asked of it: the wire between client, dispatches and workflow.

export { Command, CommandEnvelope, PlainSignal, type CommandOf } from './command.js';
export { Fact, Report } from './report.js';
export { Subscribe, Upstream } from './upstream.js';

export const SIGNALS = {
  attest: 'attest',
  reply: 'reply',
  cancel: 'cancel',
  command: 'command',
  report: 'report',
  subscribe: 'subscribe',
  upstream: 'upstream',
} as const;
export const QUERIES = {
  answer: 'answer',
  status: 'status',
  nodes: 'nodes',
  events: 'events',
  surfaces: 'surfaces',
  result: 'result',
  /** a command envelope judged on the live state without being applied (`sluice edit --dry-run`) */
  judge: 'judge',
} as const;

export interface EventsQuery {
  after: number;
  limit: number;
}
export interface NodesQuery {
  /** index in plan order to start from */
  after: number;
  limit: number;
}

// Commands that look at runs and change nothing.

import type { CommandSpec } from '../command-spec.js';

const RUN = '[run]';

export const lookingCommands: CommandSpec[] = [
  {
    name: 'list',
    text: 'runs, the newest first',
    options: [
      { flags: '--open', text: 'only those that are not over' },
      { flags: '--limit <n>', text: 'at most so many, default 50', count: true },
    ],
    load: () => import('../commands/list.js'),
  },
  { name: 'status', args: [RUN], text: 'where a run stands', load: () => import('../commands/status.js') },
  {
    name: 'events',
    args: [RUN],
    text: 'what happened, one line each',
    options: [
      { flags: '-f, --follow', text: 'go on as they happen, until the run is over' },
      { flags: '--kind <kind>', text: 'only this kind; may be given more than once', many: true },
      { flags: '--after <seq>', text: 'only events after this number', count: true },
    ],
    lasts: true,
    load: () => import('../commands/events.js'),
  },
  {
    name: 'logs',
    args: ['[run]', '[node]'],
    text: "the output of a node's last attempt",
    options: [{ flags: '-f, --follow', text: 'go on while the node runs' }],
    lasts: true,
    load: () => import('../commands/logs.js'),
  },
  {
    name: 'result',
    args: [RUN],
    text: 'the result document',
    options: [{ flags: '--partial', text: 'also while something runs' }],
    load: () => import('../commands/result.js'),
  },
  { name: 'surfaces', args: [RUN], text: 'what was raised to people', load: () => import('../commands/surfaces.js') },
  { name: 'waiting', text: 'every decision that waits for a person, over all runs', load: () => import('../commands/waiting.js') },
  {
    name: 'wait',
    args: [RUN],
    text: 'wait until the run is over; 0 only when it is complete',
    options: [{ flags: '--exit-on-wait', text: 'leave with code 1 when nothing moves without a person' }],
    lasts: true,
    load: () => import('../commands/wait.js'),
  },
];

// Commands about plans and about starting them.

import type { CommandSpec, OptionSpec } from '../command-spec.js';

const INPUT: OptionSpec = { flags: '-i, --input <key=value>', text: 'value of a declared input; may be given more than once', many: true };
const AGENT: OptionSpec = { flags: '--agent <name>', text: 'agent for every node, over what the plan says' };

export const planCommands: CommandSpec[] = [
  {
    name: 'init',
    text: 'write a commented plan and config, and find the agents installed',
    load: () => import('../commands/init.js'),
  },
  {
    name: 'check',
    args: ['<plan>'],
    text: 'validate a plan; every problem at once',
    options: [INPUT, AGENT],
    completes: 'files',
    load: () => import('../commands/check.js'),
  },
  {
    name: 'schema',
    text: "print the plan's JSON Schema, for editors",
    load: () => import('../commands/schema.js'),
  },
  {
    name: 'run',
    args: ['<plan>'],
    text: 'start a run and show it live',
    options: [
      INPUT,
      AGENT,
      { flags: '-d, --detach', text: 'start it and leave' },
      { flags: '--id <id>', text: "the run's id; default: the plan's name and four letters" },
      { flags: '--dry-run', text: 'say what would start in which order, and start nothing' },
      { flags: '--exit-on-wait', text: 'leave with code 1 when nothing moves without a person' },
      { flags: '--attest <node[=choice]>', text: 'say yes in advance; may be given more than once', many: true },
      { flags: '--home <host>', text: 'host that has the project and keeps the journal; default: this machine' },
    ],
    completes: 'files',
    lasts: true,
    load: () => import('../commands/run.js'),
  },
];

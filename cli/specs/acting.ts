// Commands that a person gives to a run.

import type { CommandSpec, OptionSpec } from '../command-spec.js';

const NOTE: OptionSpec = { flags: '--note <text>', text: 'words that go with it' };

export const actingCommands: CommandSpec[] = [
  {
    name: 'attest',
    args: ['[run]', '[node]'],
    text: 'say that what a node waits for has happened',
    options: [{ flags: '--choice <choice>', text: 'which of its choices' }, NOTE],
    load: () => import('../commands/attest.js'),
  },
  {
    name: 'reply',
    args: ['[run]', '[surface]', '[text...]'],
    text: 'answer a surface, and clear it',
    load: () => import('../commands/reply.js'),
  },
  {
    name: 'cancel',
    args: ['[run]', '[node]'],
    text: 'ask a node, or the whole run, to stop',
    options: [{ flags: '--now', text: 'kill at once, without the grace' }],
    load: () => import('../commands/cancel.js'),
  },
  {
    name: 'retry',
    args: ['<run>', '<node>'],
    text: 'run a node again',
    options: [NOTE],
    load: () => import('../commands/retry.js'),
  },
];

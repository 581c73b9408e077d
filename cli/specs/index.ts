// Every command there is, in the order of the help.

import type { CommandSpec } from '../command-spec.js';
import { actingCommands } from './acting.js';
import { lookingCommands } from './looking.js';
import { machineCommands } from './machine.js';
import { planCommands } from './plans.js';

/** Completes what the other commands are, so it is told of them instead of knowing this list itself. */
const completion: CommandSpec = {
  name: 'completion',
  args: ['<shell>'],
  text: 'print a completion script: bash, zsh or fish',
  load: async () => {
    const { run } = await import('../commands/completion.js');
    return { run: ({ shell }, io) => run(String(shell), io, COMMANDS) };
  },
};

export const COMMANDS: readonly CommandSpec[] = [...planCommands, ...lookingCommands, ...actingCommands, ...machineCommands, completion];

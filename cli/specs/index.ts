// Every command there is, in the order of the help.

import type { CommandSpec } from '../command-spec.js';
import { actingCommands } from './acting.js';
import { lookingCommands } from './looking.js';
import { machineCommands } from './machine.js';
import { planCommands } from './plans.js';

export const COMMANDS: readonly CommandSpec[] = [...planCommands, ...lookingCommands, ...actingCommands, ...machineCommands];

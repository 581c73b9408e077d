// How the process of an attempt ended, in the form that agents and programs share. Types, and the words for leftovers.

import type { Ending } from '../../model/agent/endings.js';
import type { UsageReading } from '../../model/agent/usage.js';
import type { ChildExit } from '../process/process.js';
import type { Output } from './output.js';

export interface Ended {
  ending: Ending;
  /** absent when nothing ran */
  exit?: ChildExit;
  output?: Output;
  usage?: UsageReading[];
  /** the turn gave a result that says it succeeded */
  finished?: boolean;
  /** the guard died with the tree: as if the worker had */
  guardDied?: boolean;
  /** to be said in the detail, however it ended */
  notes?: string[];
}

/** Case O-03: what the child left behind in its group was ended, and that is said. */
export function leftoverNote({ leftovers }: ChildExit): string[] {
  if (leftovers === 0) return [];
  return [`${leftovers} left-over ${leftovers === 1 ? 'process was' : 'processes were'} ended`];
}

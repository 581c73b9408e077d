// The plan's form of state machines and of the tickets they drive (walk-ticket.md, Tickets).

import { z } from 'zod';
import { Agent, Program } from './schema-agent.js';
import { Argv, Duration, Reference, Timeout, byId, strict } from './schema-fields.js';

const text = z.string().min(1, 'must not be empty');
const atLeastOne = z.int().min(1, 'must be at least 1');

/** An adapter with a model: one dispatch of a fan-out. */
export const Target = strict({ name: text.optional(), use: text.optional(), model: text.optional() });

/** Where a ticket goes, and the program run on the way. */
const Transition = z.union([Reference, strict({ to: Reference, on: Argv.optional() })]);

const State = strict({
  agent: Agent.optional(),
  run: Program.optional(),
  gating: z.boolean().optional().describe('waits for a person; the choices are its transitions'),
  terminal: z.boolean().optional(),
  title: text.optional(),
  next: Transition.optional(),
  choices: z.record(z.string(), Transition).optional(),
  exit: z.record(z.string(), Transition).optional().describe('exit code, or else, to state'),
  outputs: z.array(text).optional().describe('files that say the work is there; read ${{ }}'),
  targets: z.union([z.literal('all'), z.array(Target).min(1, 'must not be empty')]).optional(),
  models: z.literal('all').optional(),
  concurrent: z.boolean().optional().describe('more than one ticket at a time'),
  timeout: Timeout.optional(),
  poll: strict({ every: Duration, deadline: Duration.optional(), attempts: atLeastOne.optional(), timeout: Reference }).optional(),
});

/** Text: the machine stands in a file of its own. */
export const Machine = z.union([text, strict({ initial: Reference, states: byId(State) })]);

export const Ticket = strict({
  machine: Reference,
  title: text.optional(),
  children: z.array(Reference).optional().describe('tickets whose end this one waits for'),
  assignee: text.optional(),
  vars: z.record(z.string(), z.string()).optional(),
});

// The plan's form of a competition (panel-backlog.md, Panel).

import { z } from 'zod';
import { Argv, Duration, strict } from './schema-fields.js';
import { Publish } from './schema-change.js';

const text = z.string().min(1, 'must not be empty');
const atLeastOne = z.int().min(1, 'must be at least 1');

/** One place that an agent fills. */
export const Seat = strict({ use: text.optional(), model: text.optional() });

export const Panel = strict({
  repo: text.optional().describe('a path in the project, or a clone URL; default .'),
  base: text.optional(),
  task: z.union([text, strict({ prompt: z.string().optional(), promptFile: text.optional() })]),
  candidates: z.array(Seat).min(1, 'must not be empty'),
  solo: z.boolean().optional().describe('keeps the first candidate only'),
  judges: z.array(Seat).min(1, 'must not be empty').optional().describe("default: the candidates' seats"),
  quorum: atLeastOne.optional(),
  deliberate: z.int().min(0, 'must not be negative').optional().describe('rounds'),
  review: strict({ use: text.optional(), model: text.optional(), rounds: atLeastOne.optional() }).optional(),
  verify: z.union([text, Argv]).optional(),
  publish: z
    .strictObject({
      ...Publish.shape,
      policy: z.enum(['none', 'merge', 'change-request']),
      approve: z.boolean().optional(),
      answerTimeout: Duration.optional(),
    })
    .optional(),
});

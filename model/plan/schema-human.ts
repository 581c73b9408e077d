// The plan's form of what a person is asked (plan.md, Fields of a node: human).

import { z } from 'zod';
import { Duration, Reference, strict } from './schema-fields.js';

const ChoiceFields = strict({
  name: z.string().min(1, 'must not be empty'),
  rejects: z.boolean().optional().describe('settles the node failed/rejected'),
  sendsBack: Reference.optional().describe('this node and what lies between go back to pending, with the words as a note'),
  rounds: z.int().min(1, 'must be at least 1').optional().describe('how often it may be sent back; default 3'),
});

export const FormField = strict({
  type: z.enum(['text', 'number', 'select']),
  label: z.string().optional(),
  options: z.array(z.string()).min(1, 'must not be empty').optional().describe('what a select offers'),
  required: z.boolean().optional(),
});

export const HumanFields = strict({
  ask: z.string().min(1, 'must not be empty').describe('the words; reads ${{ }}'),
  choices: z
    .array(z.union([z.string().min(1, 'must not be empty'), ChoiceFields]))
    .min(1, 'must not be empty')
    .optional(),
  deadline: Duration.optional(),
  onDeadline: z.string().optional().describe('fail, keep-waiting, or the name of a choice; default fail'),
  fields: z.record(z.string(), FormField).optional().describe('typed values, readable as needs.NODE.fields.NAME'),
  who: z.array(z.string().min(1, 'must not be empty')).min(1, 'must not be empty').optional().describe('who may answer'),
  notAuthor: z.boolean().optional().describe('refuses whoever started the run or wrote the change'),
  escalate: z
    .array(strict({ after: Duration, notify: z.string().min(1, 'must not be empty') }))
    .min(1, 'must not be empty')
    .optional(),
  while: z.enum(['waiting', 'blocked']).optional().describe('what the run reports meanwhile; default waiting'),
});
export type HumanFields = z.infer<typeof HumanFields>;

export const Human = z
  .union([z.string().min(1, 'must not be empty'), HumanFields])
  .meta({ id: 'Human', description: 'something a person has to attest' });
export type Human = z.infer<typeof Human>;

// What a person is asked, written out.

import { durationMs } from '../duration.js';
import type { Choice, HumanSpec } from './compiled.js';
import { present } from './present.js';
import type { Human, HumanFields } from './schema-human.js';

/** The one choice of a node that gives none: that it has happened. */
const ATTESTED: Choice = { name: 'attested' };
/** plan.md: how often work may be sent back before a "no" is final */
const DEFAULT_ROUNDS = 3;

export function compileHuman(human: Human): HumanSpec {
  const fields: HumanFields = typeof human === 'string' ? { ask: human } : human;
  const { deadline, who, notAuthor, escalate } = fields;
  return {
    ask: fields.ask,
    choices: fields.choices?.map(compileChoice) ?? [ATTESTED],
    ...(deadline === undefined ? {} : { deadlineMs: durationMs(deadline) }),
    onDeadline: fields.onDeadline ?? 'fail',
    ...(fields.fields === undefined ? {} : { fields: fields.fields }),
    ...present({ who, notAuthor }),
    ...(escalate === undefined ? {} : { escalate: escalate.map(({ after, notify }) => ({ afterMs: durationMs(after), notify })) }),
    while: fields.while ?? 'waiting',
  };
}

function compileChoice(choice: NonNullable<HumanFields['choices']>[number]): Choice {
  if (typeof choice === 'string') return { name: choice };
  const { name, rejects, sendsBack, rounds } = choice;
  return { name, ...present({ rejects, sendsBack }), ...(sendsBack === undefined ? {} : { rounds: rounds ?? DEFAULT_ROUNDS }) };
}

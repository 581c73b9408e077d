// The small pieces that the schemas of the plan share. No field of the plan is defined here.

import { z } from 'zod';
import { DURATION_PATTERN, MAX_DURATION_MS, MAX_TIMEOUT_MS, parseDuration } from '../duration.js';
import { FORBIDDEN_KEYS, isId } from '../ids.js';

/**
 * An object that refuses unknown fields. zod does not say which fields it knows, so the message of such an issue
 * carries them, parted by spaces; `schema-problems.ts` turns it into "did you mean".
 */
export function strict<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(' ') : undefined) });
}

function durationUpTo(maxMs: number) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? undefined : 'expected a duration such as 45m, 2h, 1h30m, 90s, 500ms or 7d') })
    .refine((text) => parseDuration(text, maxMs).ok, {
      error: (issue) => {
        const parsed = parseDuration(String(issue.input), maxMs);
        return parsed.ok ? undefined : parsed.reason;
      },
    })
    .meta({ pattern: DURATION_PATTERN.source, examples: ['45m', '1h30m'] });
}

export const Duration = durationUpTo(MAX_DURATION_MS);
/** Of a dispatch: a timer of a worker, so shorter than what overflows one. */
export const Timeout = durationUpTo(MAX_TIMEOUT_MS);

/** The same rule as `isId` for editors. */
const ID_SOURCE = '^(?!.*\\.\\.)(?!.*\\.(?:lock)?$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';

/** A record whose keys are ids. They are judged in `check-ids.ts`: zod would skip the value of a bad key, and hide what is wrong in it. */
export function byId<T extends z.ZodType>(value: T) {
  return z.record(z.string(), value).meta({ propertyNames: { pattern: ID_SOURCE, not: { enum: [...FORBIDDEN_KEYS] } } });
}

/** A reference to an id: whether it exists is a graph check, so any text passes here. */
export const Reference = z.string();

/** The name of the plan itself: run ids and file names are made of it. */
export const Name = z
  .string()
  .refine(isId, 'a name is letters, digits, dots, dashes and underscores, at most 64, beginning with a letter or digit')
  .meta({ pattern: ID_SOURCE });

/** Argv, without a shell. */
export const Argv = z
  .array(z.string())
  .min(1, 'a command needs at least its program')
  .refine((argv) => argv[0] !== '', 'the program is empty');

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const variableRule = 'a variable is letters, digits and underscores, not beginning with a digit';

/** Variables of a dispatch: a list of `NAME` (passed through from the worker) and `NAME=value`, or a map of names to values. */
export const Env = z
  .union([
    z.array(z.string().refine((item) => VARIABLE.test(item.split('=')[0] ?? ''), variableRule)),
    z.record(z.string().regex(VARIABLE, variableRule), z.string()),
  ])
  .meta({ id: 'Env', description: 'variables: a list of NAME (passed through) and NAME=value, or a map of names to values' });

export const Dir = z.string().min(1, 'must not be empty').describe('a folder, relative to the project');

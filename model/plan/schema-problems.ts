// What zod says about a document, in the words of people: one problem for each fault, never "invalid union".
// Knows zod's issues and the raw value; nothing of plans.

import type { z } from 'zod';
import { didYouMean } from './nearest.js';
import type { Path, Problem } from './problem.js';

type Issue = z.core.$ZodIssue;

/** zod's own wording, in place of which ours stands; any other message was written in a schema. */
const ZOD_WORDING = /^(?:Invalid|Too small|Too big|Unrecognized)/;

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
  null: 'null',
};

/** Every fault in `raw`, a value that `schema` refused, as problems. */
export function schemaProblems(issues: readonly Issue[], raw: unknown): Problem[] {
  return issues.flatMap((issue) => explain(issue, raw, []));
}

function explain(issue: Issue, raw: unknown, base: Path): Problem[] {
  const path = [...base, ...(issue.path as (string | number)[])];
  const value = valueAt(raw, path);
  const own = ZOD_WORDING.test(issue.message) ? undefined : issue.message;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(key, path, own));
    case 'invalid_union':
      return explainUnion(issue, raw, path);
    case 'invalid_type':
      return own === undefined || value === undefined
        ? [wrongType([issue.expected], value, path, own)]
        : [{ path, message: `${own}, found ${found(value)}` }];
    case 'invalid_value':
      return [
        value === undefined
          ? required(path, own)
          : { path, message: own ?? `expected ${orList(issue.values)}, found ${found(value)}`, ...meant(issue.values, value) },
      ];
    case 'too_small':
    case 'too_big':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return [{ path, message: own ?? issue.message }];
    default:
      return issue satisfies never;
  }
}

function unknownField(key: string, path: Path, known: string | undefined): Problem {
  const hint = known === undefined ? {} : didYouMean(key, known.split(' '));
  return { path: [...path, key], message: 'unknown field', at: 'key', ...hint };
}

/** The branch whose type the value has is the one that was meant; its faults are told. Where none has it, the types are. */
function explainUnion(issue: Issue & { code: 'invalid_union' }, raw: unknown, path: Path): Problem[] {
  const misses = (branch: readonly Issue[]) => branch.some((one) => one.path.length === 0 && one.code === 'invalid_type');
  const meantBranches = issue.errors.filter((branch) => !misses(branch));
  const [branch] = meantBranches.sort((a, b) => a.length - b.length);
  if (branch !== undefined) return branch.flatMap((one) => explain(one, raw, path));
  const expected = issue.errors.flatMap((one) =>
    one.flatMap((inner) => (inner.code === 'invalid_type' && inner.path.length === 0 ? [inner.expected] : [])),
  );
  return [wrongType(expected, valueAt(raw, path), path)];
}

function wrongType(expected: readonly string[], value: unknown, path: Path, own?: string): Problem {
  if (value === undefined) return required(path, own);
  const wanted = [...new Set(expected.map((type) => WORDS[type] ?? type))];
  const scalar = value === null || typeof value === 'number' || typeof value === 'boolean';
  const unquoted = expected.includes('string') && scalar ? { unquoted: true as const } : {};
  return { path, message: `expected ${wanted.join(' or ')}, found ${found(value)}`, ...unquoted };
}

function required(path: Path, own?: string): Problem {
  return { path, message: own ?? 'is required' };
}

function meant(values: readonly unknown[], value: unknown): { hint?: string } {
  return typeof value === 'string'
    ? didYouMean(
        value,
        values.filter((one) => typeof one === 'string'),
      )
    : {};
}

function orList(values: readonly unknown[]): string {
  return values
    .map((value) => `\`${String(value)}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
}

/** How a value is called in a refusal: scalars by themselves, the rest by their kind. */
function found(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return `\`${value.length > 60 ? `${value.slice(0, 60)}…` : value}\``;
  return `the ${typeof value} ${JSON.stringify(value)}`;
}

/** The value at a path, or undefined where there is none. */
export function valueAt(raw: unknown, path: Path): unknown {
  let value = raw;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}

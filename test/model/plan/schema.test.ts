// The JSON Schema for editors: that the package's copy is the schema's, and that it says what the checks say.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isId } from '../../../model/ids.js';
import { planJsonSchema } from '../../../model/plan/schema.js';

const ROOT = join(import.meta.dirname, '../../..');

interface Schema {
  $defs: Record<string, Schema>;
  properties: Record<string, Schema>;
  additionalProperties: unknown;
  propertyNames: { pattern: string; not: { enum: string[] } };
  oneOf: { required: string[] }[];
  required: string[];
  pattern: string;
}

const schema = planJsonSchema() as unknown as Schema;
const node = schema.$defs.Node!;

describe('the JSON Schema of a plan', () => {
  it('is what plan.schema.json in the package holds; write it anew with `sluice schema > plan.schema.json`', async () => {
    expect(JSON.parse(await readFile(join(ROOT, 'plan.schema.json'), 'utf8'))).toEqual(schema);
  });

  it('requires a version and nodes, and knows no other field', () => {
    expect(schema.required).toEqual(['version', 'nodes']);
    expect([schema.additionalProperties, node.additionalProperties]).toEqual([false, false]);
  });

  it('wants exactly one kind', () => {
    expect(node.oneOf.flatMap((one) => one.required)).toEqual(['agent', 'run', 'human', 'change', 'panel', 'ticket']);
  });

  it('takes the ids that the checks take', () => {
    const { pattern, not } = schema.properties.nodes!.propertyNames;
    const takes = (id: string) => new RegExp(pattern).test(id) && !not.enum.includes(id);
    for (const id of [
      'a',
      '007',
      'a.b-c_d',
      'x'.repeat(64),
      'x'.repeat(65),
      '',
      '.a',
      'a.',
      'a..b',
      'a.lock',
      'a.lockx',
      'a b',
      'a:b',
      'constructor',
    ]) {
      expect([id, takes(id)]).toEqual([id, isId(id)]);
    }
  });

  it('takes the durations that the checks take, but for zero', () => {
    const pattern = new RegExp(node.properties.timeout!.pattern);
    expect(['45m', '1h30m', '500ms'].every((text) => pattern.test(text))).toBe(true);
    expect(['', 'm', '5', '-5m', '30m1h'].some((text) => pattern.test(text))).toBe(false);
  });
});

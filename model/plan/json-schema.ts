// The JSON Schema of the plan file, for editors (`sluice schema`, plan.schema.json). Made from the zod schema, never by hand.

import { z } from 'zod';
import type { JsonValue } from '../json.js';
import { Plan } from './schema.js';

/** JSON Schema, draft 2020-12, of a plan as people write it. */
export function planJsonSchema(): JsonValue {
  return z.toJSONSchema(Plan, { io: 'input', reused: 'ref', target: 'draft-2020-12' }) as JsonValue;
}

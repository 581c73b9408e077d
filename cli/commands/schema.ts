// `sluice schema`: the plan's JSON Schema, from the same zod definition that reads plans.

import { planJsonSchema } from '../../model/plan/schema.js';
import { EXIT } from '../../model/errors.js';
import type { Args } from '../command-spec.js';
import type { Io } from '../io.js';

export function run(_args: Args, io: Io): Promise<number> {
  io.out(JSON.stringify(planJsonSchema(), null, 2));
  return Promise.resolve(EXIT.ok);
}

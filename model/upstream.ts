// What runs tell each other: who needs a node of whom, and how that node settled (run.md, Needs across runs).

import { z } from 'zod';

const id = z.string().min(1).max(200);

/** "Tell me when this node of yours settles." Said again it is one subscription. */
export const Subscribe = z.strictObject({ run: id, node: id });
export type Subscribe = z.infer<typeof Subscribe>;

/** How a node of another run settled. `settled` counts its settlements, so that a later one is known from a repeated word. */
export const Upstream = z.strictObject({
  run: id,
  node: id,
  settled: z.int().positive(),
  status: z.enum(['done', 'failed', 'cancelled', 'parked', 'dropped']),
  outcome: z.string().optional(),
  output: z.string().max(65_536).optional(),
});
export type Upstream = z.infer<typeof Upstream>;

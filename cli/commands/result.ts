// `sluice result`: the result document, always as JSON. 0 only when the run is complete.

import { EXIT } from '../../model/errors.js';
import { readResult } from '../../client/result.js';
import type { Io } from '../io.js';
import { refuse } from '../refuse.js';
import { withRun } from '../with-run.js';

export function run({ run: given, partial }: { run?: string; partial?: boolean }, io: Io): Promise<number> {
  return withRun(io, given, async ({ door, run }) => {
    const result = await readResult(door, run, { partial: partial === true });
    if (!result.ok) return refuse(io, result.refusal);
    io.out(JSON.stringify(result.value, null, 2));
    return result.value.ok ? EXIT.ok : EXIT.incomplete;
  });
}

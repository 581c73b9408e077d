// `sluice surfaces`: what a run raised to people, answered or not.

import { EXIT } from '../../model/errors.js';
import type { SurfaceView } from '../../model/run/views.js';
import { readSurfaces } from '../../client/read.js';
import type { Io } from '../io.js';
import { refuse } from '../refuse.js';
import { paint } from '../render/colour.js';
import { safe } from '../render/plain.js';
import { day } from '../render/time.js';
import { withRun } from '../with-run.js';

export function run({ run: given }: { run?: string }, io: Io): Promise<number> {
  return withRun(io, given, async ({ door, run }) => {
    const surfaces = await readSurfaces(door, run.run_id);
    if (!surfaces.ok) return refuse(io, surfaces.refusal);
    if (io.json) io.out(JSON.stringify({ run_id: run.run_id, surfaces: surfaces.value }, null, 2));
    else if (surfaces.value.length === 0) io.out('nothing was raised');
    else for (const surface of surfaces.value) show(io, run.run_id, surface);
    return EXIT.ok;
  });
}

function show(io: Io, run: string, surface: SurfaceView): void {
  const { id, kind, blocking, workstream, source, queued_at: at, answer, message } = surface;
  const where = workstream === undefined ? '' : ` on ${workstream}`;
  const holds = blocking ? paint(io.colour, 'yellow', answer === undefined ? ' holds it back' : ' held it back') : '';
  io.out(`${paint(io.colour, 'bold', String(id))}  ${kind}${where}${holds}, by ${source}, ${day(at)}`);
  for (const line of safe(message).split('\n')) io.out(`    ${line}`);
  if (answer !== undefined) io.out(`    answered: ${safe(answer)}`);
  else if (blocking) io.out(`    sluice reply ${run} ${id} TEXT`);
}

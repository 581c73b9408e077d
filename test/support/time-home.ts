// Runs whose home is a place, on the time-skipping server: real workers (`place.worker()`), real activities, a real journal.
// Started by the client itself, for `sluice run` asks who polls a queue, and that server cannot say.

import { readFile } from 'node:fs/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { runWorkflowId } from '../../model/ids.js';
import { statePaths } from '../../model/paths.js';
import type { NodeSpec } from '../../model/plan/compiled.js';
import { runInput } from './builders.js';
import { Place } from './place.js';
import type { TimeServer } from './time-server.js';

/** A place that uses the time-skipping server. Places of one fleet are hosts of their own: a worker in each can be there or away. */
export function openPlace(time: TimeServer, fleet?: string): Promise<Place> {
  return Place.open({ TEMPORAL_ADDRESS: time.address, ...(fleet !== undefined && { SLUICE_FLEET: fleet }) });
}

/** @param place where a worker has run already: the home's id is its host id */
export async function startAtHome(
  time: TimeServer,
  place: Place,
  run: string,
  nodes: NodeSpec[],
  more: Parameters<typeof runInput>[1] = {},
): Promise<WorkflowHandle> {
  const fleet = fleetOf(place);
  const home = (await readFile(statePaths(place.env.SLUICE_STATE_DIR ?? '').hostId, 'utf8')).trim();
  const input = runInput(nodes, { ...more, run, fleet, home, project: { id: run, dir: place.project } });
  return time.client.workflow.start('run', { taskQueue: fleet, workflowId: runWorkflowId(run), args: [input] });
}

export function fleetOf(place: Place): string {
  return place.env.SLUICE_FLEET ?? 'sluice';
}

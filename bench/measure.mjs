// How a question is put to several sides: A B A B, medians, so that a slow minute of the machine falls on all of them.

import { activityStarts, eventsOf, ms, signalTimes } from './history.mjs';

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Asks every side `repetitions` times in turn; the order within a turn changes, so that none always follows the same other. */
async function inTurn(sides, repetitions, ask) {
  const answers = new Map(sides.map((side) => [side.name, []]));
  for (let turn = 0; turn < repetitions; turn++) {
    const order = turn % 2 === 0 ? sides : [...sides].reverse();
    for (const side of order) answers.get(side.name).push(await ask(side));
  }
  return answers;
}

/** ms, history events and bytes a node of a graph. */
export async function measureGraph(sides, graph, repetitions) {
  const nodes = graph.needs.length;
  const answers = await inTurn(sides, repetitions, (side) => side.graph(graph));
  const rows = [...answers].map(([side, costs]) => ({
    side,
    ...spread(costs.map((cost) => cost.durationMs / nodes)),
    events: median(costs.map((cost) => cost.events)) / nodes,
    bytes: median(costs.map((cost) => cost.bytes)) / nodes,
    executions: median(costs.map((cost) => cost.executions)),
  }));
  return { name: graph.name, unit: 'ms a node', nodes, rows };
}

/** From a signal's arrival at the server to the start of the activity it lets go: a row of gates, one after the other. */
export async function measureGates(sides, count, repetitions) {
  const answers = await inTurn(sides, repetitions, async (side) => gateTimes(await side.gates(count), side.signal));
  return { name: 'signal to effect', unit: 'ms', rows: [...answers].map(([side, times]) => ({ side, ...spread(times.flat()) })) };
}

function gateTimes(events, signal) {
  const starts = activityStarts(events, 'dispatch');
  return signalTimes(events, signal).map((at, index) => starts[index] - at);
}

/** From the start of a run to the start of its first activity: runs of one node. */
export async function measureStart(client, sides, graph, repetitions) {
  const answers = await inTurn(sides, repetitions, async (side) => {
    const { workflowId, runId } = await side.graph(graph);
    const events = await eventsOf(client, workflowId, runId);
    return activityStarts(events, 'dispatch')[0] - ms(events[0].eventTime);
  });
  return { name: 'start of a run', unit: 'ms', rows: [...answers].map(([side, all]) => ({ side, ...spread(all) })) };
}

function spread(all) {
  return { ms: median(all), lowest: Math.min(...all), highest: Math.max(...all) };
}

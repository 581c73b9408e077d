// What is asked, of which sides, how often. Each question is answered by one row a side.

import { chain, layered, wide } from './graphs.mjs';
import { measureGates, measureGraph, measureStart } from './measure.mjs';

/** Odd, so that a median is a run that happened. */
const REPETITIONS = 5;
const QUICK_REPETITIONS = 3;

/** One run of 10,000 nodes takes half a minute on each side. */
const LARGE_REPETITIONS = 1;
const GATES = 20;
const STARTS = 10;

/** The questions that the options leave, each with its name and how to ask it. */
export function questionsOf(client, { bare, eager, spawning, sluice, noJournal, programs }, options) {
  const repetitions = Number(options.repetitions ?? (options.quick ? QUICK_REPETITIONS : REPETITIONS));
  const engines = [bare, eager, sluice, noJournal];
  const graph = (of, sides = engines, times = repetitions, name = of.name) => ({
    name,
    ask: async () => ({ ...(await measureGraph(sides, of, times)), name }),
  });
  const all = [
    graph(chain(100)),
    graph(wide(1_000)),
    graph(layered(20, 50)),
    ...(options.large ? [graph(wide(10_000), engines, LARGE_REPETITIONS)] : []),
    { name: 'signal to effect', ask: () => measureGates(engines, GATES, repetitions) },
    { name: 'start of a run', ask: () => measureStart(client, engines, chain(1), STARTS) },
    graph(chain(100), [bare, spawning, programs], repetitions, 'programs, chain of 100'),
    graph(wide(1_000), [bare, spawning, programs], repetitions, 'programs, 1000 wide'),
  ];
  const wanted = all.filter(({ name }) => options.only === undefined || name.includes(options.only));
  if (wanted.length === 0) throw new Error(`--only ${options.only}: no such question; there are ${all.map(({ name }) => name).join('; ')}`);
  return wanted;
}

/** First runs pay for compiling and caches on every side: nothing of them is kept. */
export async function warmUp({ bare, eager, spawning, sluice, noJournal, programs }) {
  await measureGraph([bare, eager, spawning, sluice, noJournal, programs], chain(10), 1);
}

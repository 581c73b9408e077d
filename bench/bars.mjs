// The bars of operations.md, Speed, and which figures fall under them. Only `--check` makes them count.

/** Sluice with its journal on may cost this many times the bare SDK on the graphs. */
const GRAPH_RATIO = 1.25;
/** A real program's node may cost this much more than a bare activity that does nothing, ms. */
const PROGRAM_MS = 2.5;
/** 10,000 nodes may cost this many times as much a node as 1,000. */
const LARGE_RATIO = 1.3;

const rowOf = (question, side) => question.rows.find((row) => row.side === side);

/** Marks the questions that have a bar with what it is and whether it holds. */
export function judge(questions) {
  return questions.map((question) => {
    const bare = rowOf(question, 'bare');
    const judged = rowOf(question, 'sluice') ?? rowOf(question, 'programs');
    if (question.nodes === undefined || !bare || !judged) return question;
    const limit = judged.side === 'programs' ? bare.ms + PROGRAM_MS : bare.ms * GRAPH_RATIO;
    const bar = judged.side === 'programs' ? `bare + ${PROGRAM_MS} ms` : `${GRAPH_RATIO} x bare`;
    return { ...question, bar: { side: judged.side, text: bar, limit, met: judged.ms <= limit } };
  });
}

/** The bar that two questions share: the cost of a node must not grow with the graph. */
export function judgeGrowth(questions) {
  const [small, large] = [1_000, 10_000].map((count) => questions.find(({ name }) => name === `${count} wide`));
  if (!small || !large) return undefined;
  const ratio = rowOf(large, 'sluice').ms / rowOf(small, 'sluice').ms;
  return { text: `10,000 nodes at most ${LARGE_RATIO} x 1,000`, ratio, met: ratio <= LARGE_RATIO };
}

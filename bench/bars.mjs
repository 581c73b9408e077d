// The bars of operations.md, Speed, and which figures fall under them. Only `--check` makes them count.

/** Sluice with its journal on may cost this many times the bare SDK on the graphs. */
const GRAPH_RATIO = 1.15;
/** A real program's node may cost this much more than a bare activity that spawns the same program, ms. */
const PROGRAM_MS = 2.5;
/** From a signal to the activity it lets go. */
const SIGNAL_RATIOS = { 'signal to effect': 1.2 };
/** 10,000 nodes may cost this many times as much a node as 1,000. */
const LARGE_RATIO = 1.3;

const rowOf = (question, side) => question.rows.find((row) => row.side === side);

/** Marks the questions that have a bar with what it is and whether it holds. */
export function judge(questions) {
  return questions.map((question) => {
    const bar = programBar(question) ?? ratioBar(question);
    return bar === undefined ? question : { ...question, bar: { ...bar, met: rowOf(question, bar.side).ms <= bar.limit } };
  });
}

function programBar(question) {
  const [bare, judged] = [rowOf(question, 'bare, spawn'), rowOf(question, 'programs')];
  if (!bare || !judged) return undefined;
  return { side: 'programs', text: `bare, spawn + ${PROGRAM_MS} ms`, limit: bare.ms + PROGRAM_MS };
}

function ratioBar(question) {
  const ratio = question.nodes === undefined ? SIGNAL_RATIOS[question.name] : GRAPH_RATIO;
  const [bare, judged] = [rowOf(question, 'bare'), rowOf(question, 'sluice')];
  if (!bare || !judged || ratio === undefined) return undefined;
  return { side: 'sluice', text: `${ratio} x bare`, limit: bare.ms * ratio };
}

/** The bar that two questions share: the cost of a node must not grow with the graph. */
export function judgeGrowth(questions) {
  const [small, large] = [1_000, 10_000].map((count) => questions.find(({ name }) => name === `${count} wide`));
  if (!small || !large) return undefined;
  const ratio = rowOf(large, 'sluice').ms / rowOf(small, 'sluice').ms;
  return { text: `10,000 nodes at most ${LARGE_RATIO} x 1,000`, ratio, met: ratio <= LARGE_RATIO };
}

// The input of Sluice's `run` workflow for a graph, written out as `sluice run` would compile it from a plan.

import { built } from './built.mjs';
import { nodeName } from './graphs.mjs';

const { DEFAULT_SETTINGS } = await built('model/settings.js');
const { RULES } = await built('model/rules.js');

/** As wide as a run may be (run.md, Slots): the server, not the bound, shall be what is measured. */
const CONCURRENCY = 1_000;

const NODE = {
  labels: {},
  needs: [],
  startIf: 'needs-done',
  lock: [],
  timeoutMs: 2_700_000,
  expectsNoDiff: false,
  notify: false,
  onQuota: 'fail',
};

function programNode(id, needs) {
  return { ...NODE, id, kind: 'run', needs, run: { argv: ['true'], env: { pass: [], set: {} }, attempts: 1, okCodes: [0] } };
}

function humanNode(id, needs) {
  return {
    ...NODE,
    id,
    kind: 'human',
    needs,
    human: { ask: 'go on?', choices: [{ name: 'attested' }], onDeadline: 'fail', while: 'waiting' },
  };
}

function runInput(run, nodes, { fleet, project, home }) {
  return {
    run,
    plan: { version: 1, name: 'bench', concurrency: CONCURRENCY, inputs: {}, nodes },
    project,
    ...(home && { home }),
    fleet,
    settings: DEFAULT_SETTINGS,
    startedBy: { author: 'operator' },
    searchAttributes: false,
    rules: RULES,
    attestAhead: [],
  };
}

const need = (index) => ({ node: nodeName(index) });

/** A graph of programs `true`. */
export function graphInput(run, graph, where) {
  return runInput(
    run,
    graph.needs.map((needs, i) => programNode(nodeName(i), needs.map(need))),
    where,
  );
}

/** A chain of pairs: a person's gate, then a program. */
export function gatesInput(run, count, where) {
  const nodes = [];
  for (let i = 0; i < count; i++) {
    nodes.push(humanNode(gateName(i), i === 0 ? [] : [need(i - 1)]), programNode(nodeName(i), [{ node: gateName(i) }]));
  }
  return runInput(run, nodes, where);
}

export function gateName(index) {
  return `gate-${index}`;
}

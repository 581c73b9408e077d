// "Exactly one of": the kind of a node and of a step, prompt or promptFile, argv or script. Told by hand, not by the schema,
// because zod judges such rules only once every field is right, and would hide them behind a typing error.

import type { Outline, Raw } from './outline.js';
import { asList, asRecord } from './outline.js';
import type { Path, Problem } from './problem.js';
import { STEP_KINDS } from './schema-change.js';
import { NODE_KINDS } from './schema.js';
import { agentSites, holdersOf, programSites } from './sites.js';

export function checkKinds(plan: Outline): Problem[] {
  const steps = holdersOf(plan).filter((holder) => holder.step !== undefined);
  return [
    ...plan.nodes.flatMap(({ raw, path }) => oneOf(raw, path, NODE_KINDS, 'a node is')),
    ...steps.flatMap(({ raw, path }) => oneOf(raw, path, STEP_KINDS, 'a step is')),
    ...agentSites(plan).flatMap(({ fields, path }) => oneOf(fields, path, ['prompt', 'promptFile'], 'an agent has')),
    ...programSites(plan).flatMap(({ fields, path }) => oneOf(fields, path, ['argv', 'script'], 'a program has')),
    ...plan.nodes.flatMap(({ raw, path }) => [...checkChange(raw, path), ...checkPanel(raw, path)]),
  ];
}

function oneOf(raw: Raw, path: Path, names: readonly string[], subject: string): Problem[] {
  const given = names.filter((name) => raw[name] !== undefined);
  if (given.length === 1) return [];
  const list = names.map((name) => `\`${name}\``).join(', ');
  if (given.length === 0) return [{ path, message: `${subject} exactly one of ${list}; none is there` }];
  return [{ path, message: `${subject} exactly one of ${list}; here are ${given.map((name) => `\`${name}\``).join(' and ')}` }];
}

function checkChange(raw: Raw, path: Path): Problem[] {
  const change = asRecord(raw.change);
  if (change === undefined) return [];
  const at = [...path, 'change'];
  const publish = asRecord(change.publish);
  const bodies = publish?.body !== undefined && publish.draftBody !== undefined;
  const criteria = asList(change.criteria).flatMap((item, index) => {
    const criterion = asRecord(item);
    return criterion === undefined ? [] : oneOf(criterion, [...at, 'criteria', index], ['file', 'run', 'absent'], 'a criterion has');
  });
  return [
    ...oneOf(change, at, ['steps', 'agent', 'run'], 'a change has'),
    ...(bodies
      ? [{ path: [...at, 'publish', 'draftBody'], message: '`body` is written already: give one of `body` and `draftBody`' }]
      : []),
    ...criteria,
  ];
}

function checkPanel(raw: Raw, path: Path): Problem[] {
  const panel = asRecord(raw.panel);
  if (panel === undefined) return [];
  const task = asRecord(panel.task);
  const judges = asList(panel.judges ?? panel.candidates).length;
  const quorum = typeof panel.quorum === 'number' ? panel.quorum : 0;
  return [
    ...(task === undefined ? [] : oneOf(task, [...path, 'panel', 'task'], ['prompt', 'promptFile'], 'a task has')),
    ...(judges > 0 && quorum > judges
      ? [{ path: [...path, 'panel', 'quorum'], message: `a quorum of ${quorum} can never be reached by ${judges} judges` }]
      : []),
  ];
}

// What a person may answer: choices, deadlines, forms, and how far back a "no" may send the work (plan.md; run.md, Push-back).

import { didYouMean } from './nearest.js';
import type { Outline, OutlineNode, Raw } from './outline.js';
import { ancestorsOf, asList, asRecord, asText, comesBefore, entriesOf } from './outline.js';
import type { Path, Problem } from './problem.js';
import { humanSites } from './sites.js';

/** What happens at a deadline, beside a choice made by nobody. */
export const DEADLINE_WORDS = ['fail', 'keep-waiting'] as const;

interface Choice {
  name: string;
  path: Path;
  raw: Raw;
}

export function checkHumans(plan: Outline): Problem[] {
  return humanSites(plan).flatMap(({ node, step, path, fields }) => {
    const choices = choicesOf(fields, path);
    return [
      ...checkChoices(choices),
      ...checkDeadline(fields, path, choices),
      ...checkForm(fields, path),
      ...choices.flatMap((choice) => checkSendsBack(plan, choice, step === undefined ? node : undefined)),
    ];
  });
}

function choicesOf(human: Raw, path: Path): Choice[] {
  return asList(human.choices).flatMap((item, index) => {
    const at = [...path, 'choices', index];
    if (typeof item === 'string') return [{ name: item, path: at, raw: {} }];
    const raw = asRecord(item);
    return typeof raw?.name === 'string' ? [{ name: raw.name, path: [...at, 'name'], raw }] : [];
  });
}

function checkChoices(choices: Choice[]): Problem[] {
  return choices.flatMap(({ name, path, raw }, index) => {
    const problems: Problem[] = [];
    if (choices.findIndex((other) => other.name === name) < index) problems.push({ path, message: `\`${name}\` is a choice twice` });
    if ((DEADLINE_WORDS as readonly string[]).includes(name))
      problems.push({ path, message: `\`${name}\` is a word of \`onDeadline\` and cannot name a choice` });
    if (raw.rejects === true && raw.sendsBack !== undefined)
      problems.push({ path, message: `\`${name}\` cannot both reject and send back: one choice settles, the other does not` });
    if (raw.rounds !== undefined && raw.sendsBack === undefined)
      problems.push({ path, message: '`rounds` counts push-backs: it needs `sendsBack`' });
    return problems;
  });
}

function checkDeadline(human: Raw, path: Path, choices: Choice[]): Problem[] {
  const word = asText(human.onDeadline);
  if (word === undefined) return [];
  const at = [...path, 'onDeadline'];
  const known = [...DEADLINE_WORDS, ...choices.map((choice) => choice.name)];
  if (!known.includes(word)) return [{ path: at, message: `\`${word}\` is none of ${known.join(', ')}`, ...didYouMean(word, known) }];
  return human.deadline === undefined ? [{ path: at, message: '`onDeadline` without a `deadline` would never come' }] : [];
}

function checkForm(human: Raw, path: Path): Problem[] {
  return entriesOf(human.fields).flatMap(([name, value]) => {
    const field = asRecord(value) ?? {};
    const at = [...path, 'fields', name];
    if (field.type === 'select' && field.options === undefined) return [{ path: at, message: 'a select needs `options`' }];
    if (field.options !== undefined && field.type !== 'select') return [{ path: at, message: 'only a select has `options`' }];
    return [];
  });
}

function checkSendsBack(plan: Outline, choice: Choice, gate: string | undefined): Problem[] {
  const target = asText(choice.raw.sendsBack);
  if (target === undefined) return [];
  const path = [...choice.path.slice(0, -1), 'sendsBack'];
  if (gate === undefined) return [{ path, message: 'only a human node can send back, not a step of a change' }];
  const node = plan.byId.get(target);
  if (node === undefined) return [{ path, message: `no node \`${target}\``, ...didYouMean(target, plan.byId.keys()) }];
  if (!comesBefore(plan, target, gate))
    return [{ path, message: `\`${target}\` does not come before \`${gate}\`: only what it needs can be sent back to` }];
  const between = [...ancestorsOf(plan, gate)].filter((id) => id === target || comesBefore(plan, target, id));
  const merged = between.map((id) => plan.byId.get(id)!).find(mayMerge);
  if (merged === undefined) return [];
  return [{ path, message: `sending back to \`${target}\` would rewind \`${merged.id}\`, whose change may be merged by then` }];
}

function mayMerge(node: OutlineNode): boolean {
  const publish = asRecord((asRecord(node.raw.change) ?? asRecord(node.raw.panel))?.publish);
  return publish?.policy === 'merge' || publish?.merge === 'auto' || publish?.merge === 'when-green';
}

// `${{ … }}`: that it stands only where it is read, and names only what can exist there (plan.md).

import { stepsBefore } from './check-change.js';
import { expressionsIn, parseExpression } from './expressions.js';
import type { Expression } from './expressions.js';
import { didYouMean } from './nearest.js';
import type { Outline, OutlineNode } from './outline.js';
import { asRecord, comesBefore, entriesOf } from './outline.js';
import type { Path, Problem } from './problem.js';
import type { FileSite } from './sites.js';

/** Where expressions are read; `*` is any id or index. */
const READ_IN: readonly (readonly string[])[] = [
  'nodes.*.agent', 'nodes.*.agent.prompt', 'nodes.*.title', 'nodes.*.human', 'nodes.*.human.ask', 'nodes.*.ticket.title',
  'nodes.*.change.agent', 'nodes.*.change.agent.prompt', 'nodes.*.change.steps.*.agent', 'nodes.*.change.steps.*.agent.prompt',
  'nodes.*.change.steps.*.title', 'nodes.*.change.steps.*.human', 'nodes.*.change.steps.*.human.ask',
  'nodes.*.change.publish.title', 'nodes.*.change.publish.body', 'nodes.*.change.publish.draftBody.prompt',
  'nodes.*.panel.task', 'nodes.*.panel.task.prompt', 'nodes.*.panel.publish.title', 'nodes.*.panel.publish.body',
  'nodes.*.panel.publish.draftBody.prompt',
  'machines.*.states.*.agent', 'machines.*.states.*.agent.prompt', 'machines.*.states.*.outputs.*', 'machines.*.states.*.title',
].map((pattern) => pattern.split('.')); // prettier-ignore

/** Fields that become argv or shell text: a value put in there would be code. */
const COMMANDS = new Set(['run', 'argv', 'script', 'args', 'verify', 'on']);

const LITERAL = 'write `$${{` for the characters themselves';
const GIVEN =
  'inputs.NAME, needs.NODE.output, needs.NODE.outcome, needs.NODE.branch, needs.NODE.changeUrl, needs.NODE.fields.NAME, run.id, run.goal';

/** Every text of the plan, and of the prompt files it names. */
export function checkExpressions(plan: Outline, promptFiles: readonly (FileSite & { text: string })[]): Problem[] {
  const problems: Problem[] = [];
  visit(plan.raw, [], (text, path) => {
    if (isRead(path)) problems.push(...checkText(plan, text, path));
    else if (expressionsIn(text).length > 0) problems.push({ path, ...misplaced(path) });
  });
  for (const { text, path, value } of promptFiles) {
    problems.push(...checkText(plan, text, path).map((problem) => ({ ...problem, message: `${value}: ${problem.message}` })));
  }
  return problems;
}

/** Every text with a `${{`; one path is walked along, since a large plan has a million places and few of these. */
function visit(value: unknown, path: (string | number)[], found: (text: string, path: Path) => void): void {
  if (typeof value === 'string') {
    if (value.includes('${{')) found(value, [...path]);
    return;
  }
  const list = Array.isArray(value);
  for (const [key, item] of list ? value.entries() : entriesOf(value)) {
    path.push(key);
    visit(item, path, found);
    path.pop();
  }
}

function isRead(path: Path): boolean {
  return READ_IN.some((pattern) => pattern.length === path.length && pattern.every((part, i) => part === '*' || part === path[i]));
}

function misplaced(path: Path): { message: string; hint: string } {
  if (path.slice(2).some((part) => typeof part === 'string' && COMMANDS.has(part)))
    return {
      message: '`${{ }}` is never put into argv or shell text',
      hint: 'a program reads the same values from the JSON file named in SLUICE_INPUTS',
    };
  return { message: '`${{ }}` is not read here', hint: 'only in prompts, outputs, titles, bodies and the words of a human node' };
}

function checkText(plan: Outline, text: string, path: Path): Problem[] {
  const place = placeOf(plan, path);
  return expressionsIn(text).flatMap(({ source, closed }): Problem[] => {
    if (!closed) return [{ path, message: '`${{` without a closing `}}`', hint: LITERAL }];
    const fault = faultOf(plan, place, source);
    const shown = source.length > 60 ? `${source.slice(0, 60)}…` : source;
    return fault === undefined ? [] : [{ path, ...fault, message: `\`\${{ ${shown} }}\`: ${fault.message}` }];
  });
}

/** Where a text stands: in a node (and a step of its change), or in a machine, whose tickets are told apart later. */
interface Standing {
  node?: OutlineNode;
  step?: string;
  steps: string[];
  ticket: boolean;
}

function placeOf(plan: Outline, path: Path): Standing {
  if (path[0] !== 'nodes') return { steps: [], ticket: true };
  const node = plan.byId.get(String(path[1]));
  // `nodes` is no map: told elsewhere, and its texts are judged as if they stood nowhere
  if (node === undefined) return { steps: [], ticket: true };
  const steps = entriesOf(asRecord(node.raw.change)?.steps).map(([id]) => id);
  return { node, steps, ticket: path[2] === 'ticket', ...(path[3] === 'steps' ? { step: String(path[4]) } : {}) };
}

/** Whether a node (or step) is certainly over when a text of this place is used. */
function isOver(plan: Outline, { node, step }: Standing, id: string): boolean {
  if (node === undefined || comesBefore(plan, id, node.id)) return true;
  return step !== undefined && stepsBefore(node, step).has(id);
}

type Fault = { message: string; hint?: string } | undefined;

function faultOf(plan: Outline, place: Standing, source: string): Fault {
  const expression = parseExpression(source, (id) => plan.byId.has(id) || place.steps.includes(id));
  if (expression === undefined) return unreadable(plan, place, source);
  switch (expression.kind) {
    case 'input':
      if (plan.inputs.has(expression.name)) return undefined;
      return { message: `the plan declares no input \`${expression.name}\``, ...didYouMean(expression.name, plan.inputs.keys()) };
    case 'run':
      return expression.property === 'goal' && plan.raw.goal === undefined ? { message: 'the plan has no `goal`' } : undefined;
    case 'need':
    case 'field':
      return isOver(plan, place, expression.node) ? missing(plan, expression) : tooEarly(expression.node, place.node?.id ?? '');
    case 'ticket':
    case 'var':
      return place.ticket ? undefined : { message: 'there is a ticket only inside a machine' };
    default:
      return expression satisfies never;
  }
}

function tooEarly(node: string, reader: string): Fault {
  if (node === reader) return { message: 'a node cannot read what it has not done yet' };
  return { message: `\`${node}\` need not be over by then`, hint: `add it to the needs of \`${reader}\`` };
}

/** What a node of its kind never has. */
function missing(plan: Outline, expression: Expression & { kind: 'need' | 'field' }): Fault {
  const node = plan.byId.get(expression.node);
  if (node?.kinds.length !== 1) return undefined;
  const kind = node.kinds[0]!;
  if (expression.kind === 'field') {
    const fields = asRecord(asRecord(node.raw.human)?.fields) ?? {};
    if (Object.hasOwn(fields, expression.field)) return undefined;
    return { message: `\`${node.id}\` asks for no field \`${expression.field}\``, ...didYouMean(expression.field, Object.keys(fields)) };
  }
  const changes = kind === 'change' || kind === 'panel';
  if (changes || (expression.property !== 'branch' && expression.property !== 'changeUrl')) return undefined;
  return { message: `\`${node.id}\` is of kind ${kind} and has no ${expression.property}` };
}

function unreadable(plan: Outline, { steps }: Standing, source: string): Fault {
  const match = /^needs\.(.+)\.(?:output|outcome|branch|changeUrl)$/.exec(source);
  if (match?.[1] !== undefined) return { message: `no node \`${match[1]}\``, ...didYouMean(match[1], [...plan.byId.keys(), ...steps]) };
  return { message: 'no such value', hint: `there are ${GIVEN}; ${LITERAL}` };
}

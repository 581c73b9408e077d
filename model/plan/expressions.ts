// `${{ … }}`: the few values that prompts, outputs, titles, bodies and the words to people may read (plan.md).
// Text in, text out; which paths exist in a given place is `check-expressions.ts`'s business.

export interface NodeValues {
  output?: string;
  outcome?: string;
  branch?: string;
  changeUrl?: string;
  fields?: Record<string, string>;
}

export interface Values {
  inputs: Readonly<Record<string, string>>;
  needs: Readonly<Record<string, NodeValues>>;
  run: { id: string; goal?: string };
  ticket?: { id: string; title?: string; vars?: Readonly<Record<string, string>> };
}

/** Properties of a node that can be read as `needs.NODE.PROPERTY`. */
export const NODE_PROPERTIES = ['output', 'outcome', 'branch', 'changeUrl'] as const;
export type NodeProperty = (typeof NODE_PROPERTIES)[number];

export type Expression =
  | { kind: 'input'; name: string }
  | { kind: 'need'; node: string; property: NodeProperty }
  | { kind: 'field'; node: string; field: string }
  | { kind: 'run'; property: 'id' | 'goal' }
  | { kind: 'ticket'; property: 'id' | 'title' }
  | { kind: 'var'; name: string };

/** `$${{` is the plain text `${{`. Without a closing `}}` the rest of the text is the (broken) expression. */
const EXPRESSION = /\$\$\{\{|\$\{\{([^]*?)(\}\}|$)/g;
const ESCAPED = '$${{';

/** What stands between `${{` and `}}`, trimmed, in order; escaped ones left out. */
export function expressionsIn(text: string): { source: string; closed: boolean }[] {
  if (!text.includes('${{')) return [];
  return [...text.matchAll(EXPRESSION)]
    .filter((match) => match[0] !== ESCAPED)
    .map((match) => ({ source: (match[1] ?? '').trim(), closed: match[2] === '}}' }));
}

/** Which ids `needs.` may name. */
export type Known = (id: string) => boolean;

/**
 * Reads one path. An id may hold dots: the longest known one that fits is meant.
 * @returns undefined when it is none of the forms of plan.md, or names no known node
 */
export function parseExpression(source: string, known: Known): Expression | undefined {
  if (source === 'run.id' || source === 'run.goal') return { kind: 'run', property: source === 'run.id' ? 'id' : 'goal' };
  if (source === 'ticket.id' || source === 'ticket.title') return { kind: 'ticket', property: source === 'ticket.id' ? 'id' : 'title' };
  if (source.startsWith('inputs.')) return { kind: 'input', name: source.slice('inputs.'.length) };
  if (source.startsWith('ticket.vars.')) return { kind: 'var', name: source.slice('ticket.vars.'.length) };
  return source.startsWith('needs.') ? parseNeed(source.slice('needs.'.length), known) : undefined;
}

function parseNeed(rest: string, known: Known): Expression | undefined {
  let dot = rest.lastIndexOf('.');
  while (dot > 0 && !known(rest.slice(0, dot))) dot = rest.lastIndexOf('.', dot - 1);
  if (dot <= 0) return undefined;
  const [node, property] = [rest.slice(0, dot), rest.slice(dot + 1)];
  if (property.startsWith('fields.')) return { kind: 'field', node, field: property.slice('fields.'.length) };
  return isProperty(property) ? { kind: 'need', node, property } : undefined;
}

function isProperty(word: string): word is NodeProperty {
  return (NODE_PROPERTIES as readonly string[]).includes(word);
}

/** Ids whose values the text reads: what a caller of `render` has to bring, direct needs or not. */
export function nodesRead(text: string, known: Known): string[] {
  const read = expressionsIn(text).flatMap(({ source }) => {
    const expression = parseExpression(source, known);
    return expression?.kind === 'need' || expression?.kind === 'field' ? [expression.node] : [];
  });
  return [...new Set(read)];
}

/**
 * Puts the values in, in one pass: what a value itself says is never read again. Checked text has only paths that exist;
 * a value that is not there (a node that said nothing, an optional input) is the empty text.
 */
export function render(text: string, values: Values): string {
  if (!text.includes('${{')) return text;
  const known = (id: string) => Object.hasOwn(values.needs, id);
  return text.replace(EXPRESSION, (whole: string, source: string | undefined) => {
    if (whole === ESCAPED) return '${{';
    const expression = parseExpression((source ?? '').trim(), known);
    return expression === undefined ? '' : (valueOf(expression, values) ?? '');
  });
}

function valueOf(expression: Expression, values: Values): string | undefined {
  switch (expression.kind) {
    case 'input':
      return own(values.inputs, expression.name);
    case 'need':
      return own(values.needs, expression.node)?.[expression.property];
    case 'field':
      return own(own(values.needs, expression.node)?.fields ?? {}, expression.field);
    case 'run':
      return values.run[expression.property];
    case 'ticket':
      return values.ticket?.[expression.property];
    case 'var':
      return own(values.ticket?.vars ?? {}, expression.name);
    default:
      return expression satisfies never;
  }
}

/** Names come from a plan: what objects inherit is not theirs. */
function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Text that must stand as it is (a persona's preamble from the config), made safe for `render`. */
export function escapeExpressions(text: string): string {
  return text.replaceAll('${{', () => ESCAPED);
}

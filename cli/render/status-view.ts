// A run's status as a page of plain text: where it stands, what waits, which nodes are not simply done or pending.

import { clearingCommand } from '../../client/waiting.js';
import type { NodeView, StatusView, UsageView } from '../../model/run/views.js';
import type { Io } from '../io.js';
import { colourOf, paint } from './colour.js';
import { counted } from './counts.js';
import { oneLine } from './plain.js';
import { table } from './table.js';
import { elapsed } from './time.js';

type Look = Pick<Io, 'colour' | 'columns'>;

/** All lines of `sluice status`. */
export function statusLines(status: StatusView, look: Look, now: number): string[] {
  const state = paint(look.colour, colourOf(status.state), status.state);
  const lines = [`${status.run_id}  ${state}  ${elapsed(status.started_at, status.ended_at, now)}  ${counted(status.counts)}`];
  if (status.goal !== undefined) lines.push(oneLine(status.goal, look.columns));
  if (status.held !== undefined) lines.push(`nothing new starts: ${oneLine(status.held)}`);
  const spent = usageText(status.usage);
  if (spent !== '') lines.push(spent);
  lines.push(...nodeLines(status.open, look, now), ...waitingLines(status, look));
  if (status.surfaces_open > 0)
    lines.push(
      '',
      `${status.surfaces_open} ${status.surfaces_open === 1 ? 'surface' : 'surfaces'} not answered: sluice surfaces ${status.run_id}`,
    );
  return lines;
}

/** A table of nodes. */
export function nodeLines(nodes: readonly NodeView[], look: Look, now: number): string[] {
  const rows = nodes.map((node) => [
    node.id,
    node.status,
    elapsed(node.started_at, node.settled_at, now),
    node.usage === undefined ? '' : usageText(node.usage),
    whyLine(node),
  ]);
  const painted = (text: string, _row: number, column: number): string => (column === 1 ? paint(look.colour, colourOf(text), text) : text);
  return rows.length === 0
    ? []
    : ['', ...table(rows, { columns: look.columns, head: ['NODE', 'STATUS', 'TOOK', 'USAGE', ''], paint: painted })];
}

/** What waits for a person, each with the command that clears it. */
export function waitingLines({ run_id, waiting }: Pick<StatusView, 'run_id' | 'waiting'>, look: Look): string[] {
  if (waiting.length === 0) return [];
  const lines = waiting.flatMap((one) => [
    `  ${paint(look.colour, 'yellow', one.reference)}: ${oneLine(one.action, look.columns - 4)}`,
    `    ${clearingCommand(run_id, one)}${one.unblocks.length > 0 ? `   # unblocks ${one.unblocks.join(', ')}` : ''}`,
  ]);
  return ['', 'waits for you:', ...lines];
}

/** `12.3k in, 4.0k out, $0.12`; empty when nothing was used. */
export function usageText(usage: UsageView): string {
  const input = usage.input_tokens + usage.cached_input_tokens;
  const parts: string[] = [];
  if (input > 0 || usage.output_tokens > 0) parts.push(`${short(input)} in, ${short(usage.output_tokens)} out`);
  if (usage.cost_usd !== undefined) parts.push(`$${usage.cost_usd.toFixed(2)}${usage.cost_unknown === true ? ' and unknown' : ''}`);
  return parts.join(', ');
}

/** Why a node is as it is, in a line. */
export function whyLine(node: NodeView): string {
  // what a waiting node asks for is told below the table, with the command that answers it
  const parts = [node.outcome, node.detail].filter((part) => part !== undefined && part !== '');
  if (node.status === 'blocked' && node.blocked_by !== undefined) parts.unshift(`by ${node.blocked_by.join(', ')}`);
  if (node.status === 'running' && node.host !== undefined)
    parts.push(`on ${node.host}${(node.attempt ?? 1) > 1 ? `, attempt ${node.attempt}` : ''}`);
  return parts.join(': ');
}

function short(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : tokens < 1_000_000 ? `${(tokens / 1_000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

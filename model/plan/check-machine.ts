// State machines and the tickets that run through them: every state is known, reached and left (walk-ticket.md, Tickets).

import { checkCircles } from './check-needs.js';
import { didYouMean } from './nearest.js';
import type { Outline, Raw } from './outline.js';
import { asRecord, asText, entriesOf, textsOf } from './outline.js';
import type { Path, Problem } from './problem.js';

interface Way {
  to: string;
  path: Path;
}

interface State {
  id: string;
  path: Path;
  raw: Raw;
  ways: Way[];
}

export function checkMachines(plan: Outline): Problem[] {
  const machines = entriesOf(plan.raw.machines).flatMap(([id, value]) => {
    const raw = asRecord(value);
    return raw === undefined ? [] : checkMachine(plan, raw, ['machines', id]);
  });
  return [...machines, ...checkTickets(plan)];
}

function checkMachine(plan: Outline, raw: Raw, path: Path): Problem[] {
  const states = entriesOf(raw.states).map(([id, state]) => readState(id, asRecord(state) ?? {}, [...path, 'states', id]));
  const ids = new Set(states.map((state) => state.id));
  const initial = asText(raw.initial);
  const start: Way[] = initial === undefined ? [] : [{ to: initial, path: [...path, 'initial'] }];
  const unknown = [...start, ...states.flatMap((state) => state.ways)].filter((way) => !ids.has(way.to));
  return [
    ...unknown.map((way) => ({ path: way.path, message: `no state \`${way.to}\``, ...didYouMean(way.to, ids) })),
    ...(initial !== undefined && ids.has(initial) ? unreachable(states, initial) : []),
    ...states.flatMap((state) => checkState(plan, state)),
  ];
}

function readState(id: string, raw: Raw, path: Path): State {
  const maps = ['choices', 'exit'].flatMap((name) => entriesOf(raw[name]).flatMap(([key, value]) => way(value, [...path, name, key])));
  const timeout = asText(asRecord(raw.poll)?.timeout);
  const late = timeout === undefined ? [] : [{ to: timeout, path: [...path, 'poll', 'timeout'] }];
  return { id, path, raw, ways: [...way(raw.next, [...path, 'next']), ...maps, ...late] };
}

function way(value: unknown, path: Path): Way[] {
  if (typeof value === 'string') return [{ to: value, path }];
  const to = asText(asRecord(value)?.to);
  return to === undefined ? [] : [{ to, path: [...path, 'to'] }];
}

function unreachable(states: State[], initial: string): Problem[] {
  const byId = new Map(states.map((state) => [state.id, state]));
  const reached = new Set([initial]);
  const open = [initial];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { to } of byId.get(at)?.ways ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  const lost = states.filter((state) => !reached.has(state.id));
  return lost.map((state) => ({ path: state.path, at: 'key', message: `no way leads from \`${initial}\` to \`${state.id}\`` }));
}

function checkState(plan: Outline, { id, raw, path, ways }: State): Problem[] {
  const problems: Problem[] = [];
  const say = (message: string, ...at: string[]) => problems.push({ path: [...path, ...at], message });
  const kinds = ['agent', 'run'].filter((kind) => raw[kind] !== undefined);
  for (const flag of ['gating', 'terminal']) if (raw[flag] === true) kinds.push(flag);
  if (kinds.length > 1) say(`a state is one of agent, run, gating, terminal or plain; here are ${kinds.join(' and ')}`);
  if (raw.terminal === true && ways.length > 0) say(`\`${id}\` is terminal: nothing leads on from it`);
  if (raw.terminal !== true && ways.length === 0) say(`\`${id}\` has no way out and is not terminal`);
  if (raw.gating === true && raw.choices === undefined) say(`\`${id}\` waits for a person and gives no \`choices\``);
  if (raw.choices !== undefined && raw.gating !== true) say('`choices` are for a gating state: write `gating: true`', 'choices');
  if (raw.exit !== undefined && raw.run === undefined) say('`exit` reads the exit code of a program: the state has no `run`', 'exit');
  if (raw.exit !== undefined && raw.next !== undefined) say('give one of `next` and `exit`', 'next');
  if (raw.poll !== undefined && raw.run === undefined) say('only a state with `run` can poll', 'poll');
  if (raw.targets === 'all' && plan.raw.targets === undefined) say('the plan has no `targets`', 'targets');
  for (const [code] of entriesOf(raw.exit)) {
    if (!/^(?:else|\d{1,3})$/.test(code) || Number(code) > 255) say(`\`${code}\` is no exit code: 0 to 255, or else`, 'exit', code);
  }
  return problems;
}

function checkTickets(plan: Outline): Problem[] {
  const machines = entriesOf(plan.raw.machines).map(([id]) => id);
  const children = new Map<string, Way[]>();
  const problems = plan.nodes.flatMap((node): Problem[] => {
    const ticket = asRecord(node.raw.ticket);
    if (ticket === undefined) return [];
    const path = [...node.path, 'ticket'];
    const machine = asText(ticket.machine);
    const lost = machine !== undefined && !machines.includes(machine);
    const under = textsOf(ticket.children, [...path, 'children']).map(({ text, path: at }) => ({ to: text, path: at }));
    children.set(node.id, under);
    return [
      ...(lost ? [{ path: [...path, 'machine'], message: `no machine \`${machine}\``, ...didYouMean(machine, machines) }] : []),
      ...under.flatMap((child) => checkChild(plan, node.id, child)),
    ];
  });
  const under = [...children].map(([id, ways]) => [id, ways.map(({ to, path }) => ({ node: to, path }))] as const);
  return [...problems, ...checkCircles(new Map(under), 'children')];
}

function checkChild(plan: Outline, parent: string, child: Way): Problem[] {
  const node = plan.byId.get(child.to);
  if (node === undefined) return [{ path: child.path, message: `no node \`${child.to}\``, ...didYouMean(child.to, plan.byId.keys()) }];
  if (child.to === parent) return [{ path: child.path, message: 'a ticket cannot be its own child' }];
  return node.kinds.includes('ticket') ? [] : [{ path: child.path, message: `\`${child.to}\` is no ticket` }];
}

// Everywhere in a plan where an agent, a program or a file is named: one list of each, whatever kind of node it stands in.
// Lenient, like the outline.

import type { Outline, Raw } from './outline.js';
import { asList, asRecord, asText, entriesOf, longForm } from './outline.js';
import type { Path } from './problem.js';

/** Where it stands; a state of a machine has no node. */
export interface Place {
  path: Path;
  node?: string;
  step?: string;
}

export interface AgentSite extends Place {
  fields: Raw;
}

/** An adapter with a model: a panel's seat, a target of a fan-out. */
export interface SeatSite extends Place {
  use?: string;
  model?: string;
}

export interface FileSite extends Place {
  value: string;
  what: 'promptFile' | 'dir' | 'repo' | 'outputFile';
}

type Holder = Place & { raw: Raw };

/** A plan is asked for these a dozen times while it is checked, and a large one has tens of thousands. */
const known = new WeakMap<Outline, Holder[]>();

/** Everything that can hold `agent`, `run` or `human`: nodes, changes, their steps, states of machines. */
export function holdersOf(plan: Outline): Holder[] {
  const holders = known.get(plan) ?? findHolders(plan);
  known.set(plan, holders);
  return holders;
}

function findHolders(plan: Outline): Holder[] {
  const ofNodes = plan.nodes.flatMap(({ id, path, raw }) => {
    const change = asRecord(raw.change);
    const here = change === undefined ? [] : [{ node: id, path: [...path, 'change'], raw: change }];
    const steps = entriesOf(change?.steps).flatMap(([step, value]) => {
      const record = asRecord(value);
      return record === undefined ? [] : [{ node: id, step, path: [...path, 'change', 'steps', step], raw: record }];
    });
    return [{ node: id, path, raw }, ...here, ...steps];
  });
  const ofStates = entriesOf(plan.raw.machines).flatMap(([machine, value]) =>
    entriesOf(asRecord(value)?.states).flatMap(([state, raw]) => {
      const record = asRecord(raw);
      return record === undefined ? [] : [{ path: ['machines', machine, 'states', state], raw: record }];
    }),
  );
  return [...ofNodes, ...ofStates];
}

export function agentSites(plan: Outline): AgentSite[] {
  return holdersOf(plan).flatMap(({ raw, path, ...place }) => {
    const fields = longForm(raw.agent, 'prompt');
    return fields === undefined ? [] : [{ ...place, path: [...path, 'agent'], fields }];
  });
}

/** Programs in their long form; a list is argv. */
export function programSites(plan: Outline): AgentSite[] {
  return holdersOf(plan).flatMap(({ raw, path, ...place }) => {
    const fields = Array.isArray(raw.run) ? { argv: raw.run } : longForm(raw.run, 'script');
    return fields === undefined ? [] : [{ ...place, path: [...path, 'run'], fields }];
  });
}

export function humanSites(plan: Outline): AgentSite[] {
  return holdersOf(plan).flatMap(({ raw, path, ...place }) => {
    const fields = longForm(raw.human, 'ask');
    return fields === undefined ? [] : [{ ...place, path: [...path, 'human'], fields }];
  });
}

export function seatSites(plan: Outline): SeatSite[] {
  const ofPanels = plan.nodes.flatMap(({ id, path, raw }) => {
    const panel = asRecord(raw.panel) ?? {};
    const lists = ['candidates', 'judges'].flatMap((list) => seats(panel[list], [...path, 'panel', list]));
    const review = asRecord(panel.review);
    const all = review === undefined ? lists : [...lists, seat(review, [...path, 'panel', 'review'])];
    return all.map((one) => ({ ...one, node: id }));
  });
  return [...ofPanels, ...seats(plan.raw.targets, ['targets'])];
}

function seats(value: unknown, path: Path): SeatSite[] {
  return asList(value).flatMap((item, index) => (asRecord(item) === undefined ? [] : [seat(asRecord(item)!, [...path, index])]));
}

function seat(raw: Raw, path: Path): SeatSite {
  const [use, model] = [asText(raw.use), asText(raw.model)];
  return { path, ...(use === undefined ? {} : { use }), ...(model === undefined ? {} : { model }) };
}

/** Paths of files and folders that have to stay in the project. */
export function fileSites(plan: Outline): FileSite[] {
  const pick = ({ path, fields, ...place }: AgentSite, whats: FileSite['what'][]) =>
    whats.flatMap((what) => (typeof fields[what] === 'string' ? [{ ...place, path: [...path, what], value: fields[what], what }] : []));
  const inNodes = plan.nodes.flatMap(({ id, path, raw }) => {
    const [change, panel] = [asRecord(raw.change) ?? {}, asRecord(raw.panel) ?? {}];
    return [
      ...pick({ node: id, path: [...path, 'change'], fields: change }, ['repo']),
      ...pick({ node: id, path: [...path, 'panel'], fields: panel }, ['repo']),
      ...pick({ node: id, path: [...path, 'panel', 'task'], fields: asRecord(panel.task) ?? {} }, ['promptFile']),
    ];
  });
  return [
    ...agentSites(plan).flatMap((site) => pick(site, ['promptFile', 'dir'])),
    ...programSites(plan).flatMap((site) => pick(site, ['dir', 'outputFile'])),
    ...inNodes,
  ];
}

const SCP_FORM = /^[^/\s]+@[^/\s:]+:/;

/** A clone URL (`https://…`, `ssh://…`, `git@host:path`) and not a path. */
export function isCloneUrl(repo: string): boolean {
  return repo.includes('://') || SCP_FORM.test(repo);
}

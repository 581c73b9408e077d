// Agents that may write in the same folder take turns there (run.md, Slots): each holds an implicit lock on it.

import type { AgentSpec, NodeSpec } from './compiled.js';

/** `dir:<folder>` for an agent that may write in the project's own files; none for one that only reads. */
export function implicitLock(agent: AgentSpec | undefined): string[] {
  return agent === undefined || agent.permissions === 'read' ? [] : [`dir:${agent.dir ?? '.'}`];
}

/** One warning for each folder whose agents would otherwise have run at once. */
export function sharedFolders(nodes: readonly NodeSpec[]): string[] {
  const groups = new Map<string, NodeSpec[]>();
  for (const node of inOrder(nodes)) {
    for (const lock of implicitLock(node.agent)) {
      const group = groups.get(lock);
      if (group === undefined) groups.set(lock, [node]);
      else group.push(node);
    }
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return [...groups].flatMap(([lock, group]) =>
    inOneLine(group, byId)
      ? []
      : [
          warning(
            lock,
            group.map((node) => node.id),
          ),
        ],
  );
}

function warning(lock: string, ids: string[]): string {
  const folder = lock.slice('dir:'.length);
  const named = ids.length > 6 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ');
  const where = folder === '.' ? 'the project folder' : `\`${folder}\``;
  return `${named} may write in ${where}: they run one at a time; \`permissions: read\` or another \`dir\` lets them run at once`;
}

/** Needs first. */
function inOrder(nodes: readonly NodeSpec[]): NodeSpec[] {
  const dependents = new Map<string, NodeSpec[]>(nodes.map((node) => [node.id, []]));
  const left = new Map(nodes.map((node) => [node.id, node.needs.filter((need) => need.run === undefined).length]));
  for (const node of nodes) for (const need of node.needs) if (need.run === undefined) dependents.get(need.node)?.push(node);
  const order = nodes.filter((node) => left.get(node.id) === 0);
  for (const node of order) {
    for (const next of dependents.get(node.id)!) {
      const missing = left.get(next.id)! - 1;
      left.set(next.id, missing);
      if (missing === 0) order.push(next);
    }
  }
  return order;
}

/** True when the needs put them all into one order anyway; `group` stands in an order of the needs. */
function inOneLine(group: readonly NodeSpec[], byId: ReadonlyMap<string, NodeSpec>): boolean {
  return group.every((node, index) => index === 0 || waitsFor(node, group[index - 1]!.id, byId));
}

function waitsFor(node: NodeSpec, earlier: string, byId: ReadonlyMap<string, NodeSpec>): boolean {
  const seen = new Set([node.id]);
  for (const id of seen) {
    if (id === earlier) return true;
    for (const need of byId.get(id)?.needs ?? []) if (need.run === undefined) seen.add(need.node);
  }
  return false;
}

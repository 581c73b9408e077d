// What nodes need: that it exists, is not the node itself, does not go in a circle, and can bring what is asked of it.

import { shortestCycles } from './cycles.js';
import { didYouMean } from './nearest.js';
import type { Outline, OutlineNode } from './outline.js';
import type { Path, Problem } from './problem.js';

/** Names to suggest from are searched letter by letter: enough for a typing error, not for a plan in which everything is one. */
const MOST_HINTS = 20;

export function checkNeeds(plan: Outline): Problem[] {
  const here = plan.nodes.flatMap((node) => node.needs.filter((need) => !need.elsewhere).map((need) => ({ need, node })));
  let hints = 0;
  const unknown = here.filter(({ need }) => !plan.byId.has(need.node));
  const landed = here.filter(({ need }) => need.landed && plan.byId.has(need.node));
  return [
    ...unknown.map(({ need }) => ({
      path: need.path,
      message: `no node \`${need.node}\``,
      ...(hints++ < MOST_HINTS ? didYouMean(need.node, plan.byId.keys()) : {}),
    })),
    ...here
      .filter(({ need, node }) => need.node === node.id)
      .map(({ need }) => ({ path: need.path, message: 'a node cannot need itself' })),
    ...landed.flatMap(({ need }) => checkLanding(plan.byId.get(need.node)!, need.path)),
    ...checkCircles(new Map(plan.nodes.map((node) => [node.id, node.needs.filter((need) => !need.elsewhere)]))),
  ];
}

function checkLanding(node: OutlineNode, path: Path): Problem[] {
  const lands = node.kinds.length !== 1 || node.kinds[0] === 'change' || node.kinds[0] === 'panel';
  return lands
    ? []
    : [{ path, message: `\`${node.id}\` is of kind ${node.kinds[0]}: nothing of it lands, so \`until: landed\` would never come` }];
}

/** Circles among things that need each other, each told once, at the need that begins it. */
export function checkCircles(needs: ReadonlyMap<string, readonly { node: string; path: Path }[]>, what = 'needs'): Problem[] {
  const graph = new Map([...needs].map(([id, of]) => [id, of.map((need) => need.node)]));
  return shortestCycles(graph).map((cycle) => {
    const [first, second] = cycle as [string, string];
    const path = needs.get(first)!.find((need) => need.node === second)!.path;
    return { path, message: `the ${what} go in a circle: ${cycle.join(' -> ')}` };
  });
}

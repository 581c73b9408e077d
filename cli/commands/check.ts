// `sluice check`: validates a plan whole, and says what this release would not run.

import { EXIT } from '../../model/errors.js';
import { formatProblem } from '../../client/plan-file.js';
import type { Io } from '../io.js';
import { refuse } from '../refuse.js';
import { readSettings } from '../settings.js';
import { readInputs, type RunArgs } from '../starting/options.js';
import { readPlan, refusePlan, sayWarnings, type ReadPlan } from '../starting/read-plan.js';

export async function run(args: Pick<RunArgs, 'plan' | 'input' | 'agent'>, io: Io): Promise<number> {
  const inputs = readInputs(args.input);
  if (!inputs.ok) return refuse(io, inputs.refusal);
  const settings = await readSettings(io, args.plan);
  if (!settings.ok) return refuse(io, settings.refusal);
  const agentFlag = args.agent;
  const read = await readPlan(io, args.plan, {
    settings: settings.value,
    inputs: inputs.value,
    inputsLater: true,
    ...(agentFlag !== undefined && { agentFlag }),
  });
  if (!read.ok) return refusePlan(io, args.plan, read.problems);
  say(io, args.plan, read.value);
  return EXIT.ok;
}

function say(io: Io, file: string, { plan, warnings, notYet }: ReadPlan): void {
  const names = { name: plan.name, nodes: plan.nodes.map(({ id, kind, needs }) => ({ id, kind, needs: needs.map(({ node }) => node) })) };
  if (io.json) return io.out(JSON.stringify({ ok: true, file, ...names, warnings, not_yet: notYet }, null, 2));
  sayWarnings(io, warnings);
  for (const problem of notYet) io.err(`sluice: warning: ${formatProblem(problem)}`);
  if (!io.quiet)
    io.out(`${file}: plan ${plan.name}, ${plan.nodes.length} nodes, ok${notYet.length > 0 ? ', but not to be started yet' : ''}`);
}

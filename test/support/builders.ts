// Builders of plans, inputs and results for tests of the model. Defaults are the smallest thing that is valid.

import type { CompiledPlan, NodeSpec } from '../../model/plan/compiled.js';
import type { DispatchResult } from '../../model/run/dispatch.js';
import type { RunInput } from '../../model/run/input.js';
import { RULES } from '../../model/rules.js';
import { DEFAULT_SETTINGS, type RunSettings } from '../../model/settings.js';

const base = (id: string, needs: string[]): Omit<NodeSpec, 'kind'> => ({
  id,
  labels: {},
  needs: needs.map((node) => ({ node })),
  startIf: 'needs-done',
  lock: [],
  timeoutMs: 60_000,
  expectsNoDiff: false,
  notify: true,
  onQuota: 'fail',
});

/** A program node. */
export function program(id: string, needs: string[] = [], more: Partial<NodeSpec> = {}): NodeSpec {
  return { ...base(id, needs), kind: 'run', run: { argv: ['true'], env: { pass: [], set: {} }, attempts: 1, okCodes: [0] }, ...more };
}

/** An agent node. */
export function agent(id: string, needs: string[] = [], more: Partial<NodeSpec> = {}): NodeSpec {
  const spec = { prompt: `do ${id}`, use: 'claude', permissions: 'edit' as const, args: [], env: { pass: [], set: {} }, mustWork: false };
  return { ...base(id, needs), kind: 'agent', agent: spec, ...more };
}

/** A human node with one choice, or those given. */
export function human(id: string, needs: string[] = [], more: Partial<NonNullable<NodeSpec['human']>> = {}): NodeSpec {
  return {
    ...base(id, needs),
    kind: 'human',
    human: { ask: `look at ${id}`, choices: [{ name: 'attested' }], onDeadline: 'fail', while: 'waiting', ...more },
  };
}

export function plan(nodes: NodeSpec[], more: Partial<CompiledPlan> = {}): CompiledPlan {
  return { version: 1, name: 'test', concurrency: 4, inputs: {}, nodes, ...more };
}

export function runInput(
  nodes: NodeSpec[],
  more: Partial<Omit<RunInput, 'plan' | 'settings'>> & { concurrency?: number; settings?: Partial<RunSettings> } = {},
): RunInput {
  const { concurrency = 4, settings, ...rest } = more;
  return {
    run: 'test-1',
    plan: plan(nodes, { concurrency }),
    project: { id: 'p', dir: '/project' },
    fleet: 'sluice',
    settings: { ...DEFAULT_SETTINGS, ...settings },
    startedBy: { author: 'operator', by: 'tester' },
    searchAttributes: false,
    rules: RULES,
    attestAhead: [],
    ...rest,
  };
}

/** A dispatch that spoke and succeeded, unless told otherwise. */
export function result(more: Partial<DispatchResult> = {}): DispatchResult {
  return {
    reached: 'spoke',
    ok: true,
    attempts: [{ attempt: 1, startedAt: '2026-01-01T00:00:00.000Z' }],
    output: '',
    host: 'h1',
    endedBy: 'exit',
    ...more,
  };
}

export function failure(outcome = 'task-failed', detail = 'exit 1'): DispatchResult {
  return result({ ok: false, outcome, detail });
}

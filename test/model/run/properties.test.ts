// Random graphs under random inputs: the invariants of run.md hold after every decision, also across JSON round trips
// (what a continue-as-new does to the state).

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NodeSpec } from '../../../model/plan/compiled.js';
import type { RunState } from '../../../model/run/state.js';
import { failure, human, program, runInput } from '../../support/builders.js';
import { Play } from '../../support/play.js';

interface Move {
  kind: 'finish' | 'fail' | 'attest' | 'reply' | 'cancel' | 'retry' | 'surface' | 'carry' | 'roll' | 'lost' | 'cancel-run';
  pick: number;
}

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.oneof(
    { weight: 40, arbitrary: fc.constant('finish' as const) },
    { weight: 10, arbitrary: fc.constant('fail' as const) },
    { weight: 15, arbitrary: fc.constant('attest' as const) },
    { weight: 6, arbitrary: fc.constant('retry' as const) },
    { weight: 12, arbitrary: fc.constantFrom('reply' as const, 'surface' as const, 'cancel' as const) },
    { weight: 8, arbitrary: fc.constantFrom('carry' as const, 'roll' as const, 'lost' as const) },
    { weight: 1, arbitrary: fc.constant('cancel-run' as const) },
  ),
  pick: fc.nat(1_000),
});

const graph: fc.Arbitrary<NodeSpec[]> = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(1_000), { maxLength: 3 }),
      person: fc.integer({ min: 0, max: 5 }),
      startIf: fc.constantFrom('needs-done' as const, 'needs-done' as const, 'needs-settled' as const, 'any-failed' as const),
      lock: fc.constantFrom<string[]>([], [], ['l'], ['l', 'm']),
      expectsNoDiff: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((shapes) =>
    shapes.map(({ needs, person, startIf, lock, expectsNoDiff }, i) => {
      const own = i === 0 ? [] : [...new Set(needs.map((need) => `n${need % i}`))];
      const node = person === 0 ? human(`n${i}`, own) : program(`n${i}`, own, { lock, expectsNoDiff: expectsNoDiff === 0 });
      return { ...node, startIf };
    }),
  );

const run = (nodes: NodeSpec[], concurrency: number): Play => new Play(runInput(nodes, { concurrency, home: 'h1' }));

function step(play: Play, { kind, pick }: Move): void {
  const out = [...play.out];
  const dispatch = out[pick % Math.max(1, out.length)];
  const node = `n${pick % play.state.nodes.length}`;
  if (kind === 'finish' || kind === 'fail') {
    if (dispatch !== undefined) play.finish(dispatch, kind === 'fail' ? failure() : {});
  } else if (kind === 'lost') {
    if (dispatch === undefined) return;
    play.out.delete(dispatch);
    play.put({ kind: 'lost', dispatch, loss: { kind: 'timeout', message: 'gone' } });
  } else if (kind === 'attest' || kind === 'retry') play.command({ command: kind, node });
  else if (kind === 'cancel') play.command({ command: 'cancel', node });
  else if (kind === 'cancel-run') play.put({ kind: 'cancel-requested' });
  else if (kind === 'surface') play.command({ command: 'surface', node, message: 'm', blocking: pick % 2 === 0 });
  else if (kind === 'reply') play.command({ command: 'reply', surface: 1 + (pick % 4), text: 't' });
  else if (kind === 'roll') play.put({ kind: 'zone', zone: 'roll' });
  if (kind === 'carry' || play.effects.at(-1)?.kind === 'continue-as-new') play.carry();
}

/** Brings a run to its end the way people would: everything that is out succeeds, everything asked for is answered. */
function bringHome(play: Play): void {
  for (let turn = 0; turn < 500 && !play.ended(); turn++) {
    const dispatch = [...play.out][0];
    const decision = play.state.decisions[0];
    if (dispatch !== undefined) play.finish(dispatch);
    else if (decision?.kind === 'human') play.command({ command: 'attest', node: decision.reference });
    else if (decision) play.command({ command: 'reply', surface: Number(decision.reference.slice('surface:'.length)), text: 'ok' });
    else if (play.state.zone !== 'free') play.carry();
    else break;
  }
}

function checkState(play: Play): void {
  const { state } = play;
  const running = state.nodes.filter((node) => node.status === 'running');
  expect(running).toHaveLength(state.inFlight);
  expect(new Set(running.map((node) => node.flight?.id))).toEqual(play.out);
  expect(state.inFlight).toBeLessThanOrEqual(state.input.plan.concurrency);
  expect(state.queue).toEqual(state.nodes.flatMap((node, i) => (node.status === 'ready' ? [i] : [])));
  expect(state.waiting).toEqual(state.nodes.flatMap((node, i) => (node.status === 'waiting' ? [i] : [])));
  expect(state.settled).toBe(state.nodes.filter(isEnd).length);
  for (const holder of Object.values(state.locks)) expect(state.nodes[holder]?.status).toBe('running');
}

const isEnd = (node: RunState['nodes'][number]): boolean => ['done', 'failed', 'cancelled', 'parked'].includes(node.status);

function checkStarts(play: Play, before: RunState): void {
  play.state.nodes.forEach((node, i) => {
    const was = before.nodes[i];
    if (node.status !== 'running' || was?.flight?.id === node.flight?.id) return;
    const spec = play.state.input.plan.nodes[i] as NodeSpec;
    const needs = spec.needs.map((need) => play.state.nodes[play.state.input.plan.nodes.findIndex((one) => one.id === need.node)]);
    if (spec.startIf === 'needs-done') expect(needs.every((need) => need?.status === 'done')).toBe(true);
    else expect(needs.every((need) => need && (isEnd(need) || need.dead))).toBe(true);
    expect(node.held).toBe(0);
  });
}

function checkEvents(play: Play): void {
  expect(play.events.map((event) => event.seq)).toEqual(play.events.map((_, i) => i + 1));
  const open = new Set<unknown>();
  for (const event of play.events) {
    if (event.kind === 'decision-pending') open.add(event.payload.reference);
    if (event.kind === 'decision-cleared') expect(open.delete(event.payload.reference)).toBe(true);
  }
  expect([...open].sort()).toEqual(play.state.decisions.map((decision) => decision.reference).sort());
  const told = play.effects.flatMap((effect) => (effect.kind === 'journal' ? effect.events.map((event) => event.seq) : []));
  expect(told).toEqual(told.map((_, i) => i + 1));
}

describe('any graph under any inputs', () => {
  it('keeps the invariants after every decision', () => {
    fc.assert(
      fc.property(graph, fc.integer({ min: 1, max: 4 }), fc.array(move, { maxLength: 40 }), (nodes, concurrency, moves) => {
        const play = run(nodes, concurrency);
        for (const one of moves) {
          const before = play.state;
          step(play, one);
          checkState(play);
          checkStarts(play, before);
        }
        checkEvents(play);
      }),
      { numRuns: 400 },
    );
  });

  it('always ends once everything is answered, and settles every dispatch exactly once', () => {
    fc.assert(
      fc.property(graph, fc.integer({ min: 1, max: 4 }), fc.array(move, { maxLength: 25 }), (nodes, concurrency, moves) => {
        const play = run(nodes, concurrency);
        for (const one of moves) step(play, one);
        bringHome(play);
        expect(play.ended()).toBeDefined();
        expect(play.out.size).toBe(0);
        const dispatched = play.effects.flatMap((effect) => (effect.kind === 'dispatch' ? [effect.order.id] : []));
        expect(new Set(dispatched).size).toBe(dispatched.length);
        expect(play.events.at(-1)?.kind).toBe('run-settled');
        checkEvents(play);
      }),
      { numRuns: 400 },
    );
  });

  it('behaves the same whether or not its state was carried over between any two inputs', () => {
    fc.assert(
      fc.property(graph, fc.array(move, { maxLength: 30 }), (nodes, moves) => {
        const steady = run(nodes, 2);
        const carried = run(nodes, 2);
        for (const one of moves.filter(({ kind }) => kind !== 'carry' && kind !== 'roll')) {
          step(steady, one);
          carried.state = JSON.parse(JSON.stringify(carried.state)) as RunState;
          step(carried, one);
        }
        expect(carried.events).toEqual(steady.events);
        expect(carried.effects).toEqual(steady.effects);
      }),
      { numRuns: 200 },
    );
  });
});

// docs/contract.md against the code: every block is read by the schema its fence names, and the tables say what the model says.

import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { EXIT } from '../../model/errors.js';
import { Envelope, EVENT_KINDS } from '../../model/event.js';
import { CommandEnvelope, PlainSignal } from '../../model/messages.js';
import { mayCommand } from '../../model/run/commands.js';
import { parseResult, ResultV3 } from '../../model/run/result.js';
import { AUTHORS, STATUSES } from '../../model/run/words.js';
import { agent, human, runInput } from '../support/builders.js';
import { Play } from '../support/play.js';
import { read } from './tree.js';

const page = await read('docs/contract.md');

const SCHEMAS: Record<string, z.ZodType> = {
  event: Envelope,
  result: ResultV3,
  command: CommandEnvelope,
  attest: PlainSignal.attest,
  reply: PlainSignal.reply,
  cancel: PlainSignal.cancel,
};

const blocks = [...page.matchAll(/^```json(?: (\S+))?\n(.*?)\n```$/gms)].map((match) => ({
  line: page.slice(0, match.index).split('\n').length + 1,
  form: match[1] ?? '',
  text: match[2] ?? '',
}));
const events = blocks.filter(({ form }) => form === 'event').map(({ text }) => Envelope.parse(JSON.parse(text)));

/** Rows of the first table below a heading, as cells. */
function table(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Payload keys by kind, as the table of events has them. */
const keys = new Map(
  table('Events').map(([kind = '', , list = '']) => {
    const names = list.split(', ').filter((name) => name !== '');
    return [kind, { may: names.map((name) => name.replace('?', '')), must: names.filter((name) => !name.endsWith('?')) }];
  }),
);

describe('blocks of the contract', () => {
  it('are there in every form', () => {
    expect([...new Set(blocks.map(({ form }) => form))].sort()).toEqual(Object.keys(SCHEMAS).sort());
  });

  it.each(blocks)('line $line, $form, is read as the program reads it', ({ form, text }) => {
    const json = JSON.parse(text) as unknown;
    expect(SCHEMAS[form]?.safeParse(json)).toMatchObject({ success: true });
  });

  it('are written without loss: what is read back is what stands there', () => {
    for (const { form, text } of blocks) expect(SCHEMAS[form]?.parse(JSON.parse(text))).toEqual(JSON.parse(text));
  });
});

describe('events of the contract', () => {
  it('have a row for every kind, and no other', () => {
    expect([...keys.keys()].sort()).toEqual([...EVENT_KINDS].sort());
  });

  it('carry the payload that their row names', () => {
    for (const { kind, payload, seq } of events) {
      const row = keys.get(kind);
      const given = Object.keys(payload);
      expect({ seq, kind, extra: given.filter((key) => !row?.may.includes(key)) }).toEqual({ seq, kind, extra: [] });
      expect({ seq, kind, missing: row?.must.filter((key) => !given.includes(key)) }).toEqual({ seq, kind, missing: [] });
    }
  });

  it('show every kind that this release sends', () => {
    const sent = /^Sent by this release: (.*?)\./ms.exec(page)?.[1]?.split(/,\s+/) ?? [];
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((kind) => !events.some((event) => event.kind === kind))).toEqual([]);
  });

  it('are numbered without gaps in the run that is told whole', () => {
    const told = events.filter(({ stream }) => stream === 'add-login-3f9k').map(({ seq }) => seq);
    expect(told).toEqual(told.map((_, index) => index + 1));
  });
});

describe('the run that is told whole', () => {
  it('is what the engine says of such a plan: the same kinds and labels, with the same keys', () => {
    const input = runInput([agent('survey'), human('approve', ['survey'])], { run: 'add-login-3f9k', home: 'h-5c1f' });
    input.plan.goal = 'Password login for the web app.';
    const play = new Play(input);
    const usage = { inputTokens: 5120, cachedInputTokens: 20480, outputTokens: 900, reasoningTokens: 0, turns: 3, costUsd: 0.04 };
    play.finish('survey#1', { session: { id: '0b7e', host: 'h-5c1f' }, usage });
    play.command({ command: 'attest', node: 'approve' });
    const shape = ({ kind, labels, payload, seq }: Envelope) => ({ seq, kind, labels, keys: Object.keys(payload).sort() });
    const told = events.filter(({ stream }) => stream === 'add-login-3f9k');
    expect(play.events.map(shape)).toEqual(told.map(shape));
  });
});

describe('what a reader of results is promised', () => {
  const document = (change: object) => ({ schema_version: 3, run_id: 'r', state: 'failed', ok: true, nodes: [], ...change });

  it.each([
    ['another version', document({ schema_version: 4 }), /schema_version 4; this build reads 3/],
    ['no version', { run_id: 'r' }, /without schema_version/],
    ['an unknown key', document({ cost: 1 }), /cost/],
    ['a null where a key should be absent', document({ nodes: [{ id: 'a', status: 'done', outcome: null }] }), /nodes\.0\.outcome/],
  ])('%s is refused by name', (_what, json, reason) => {
    expect(parseResult(json)).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  });

  it('ok is derived from the state and never believed', () => {
    expect(parseResult(document({}))).toMatchObject({ ok: true, result: { state: 'failed', ok: false } });
  });
});

describe('words of the contract', () => {
  it('names every status of a node', () => {
    expect(/^Statuses of a node: (.*)\.$/m.exec(page)?.[1]?.split(', ')).toEqual([...STATUSES]);
  });

  it('says who may say what', () => {
    const commands = ['attest', 'reply', 'cancel', 'retry', 'surface'] as const;
    const may = Object.fromEntries(AUTHORS.map((author) => [author, commands.filter((command) => mayCommand(author, command))]));
    expect(page).toContain(
      '`operator` (a person) may say everything, `planner` everything but attest, `monitor` cancel, retry and surface, `agent` surface.',
    );
    expect(may).toEqual({
      operator: [...commands],
      planner: commands.filter((command) => command !== 'attest'),
      monitor: ['cancel', 'retry', 'surface'],
      agent: ['surface'],
    });
  });

  it('lists every exit code', () => {
    const listed = table('Exit codes').flatMap(([codes = '']) => codes.split(', ').map(Number));
    expect(listed).toEqual(Object.values(EXIT));
  });
});

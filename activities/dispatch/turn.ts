// Runs one turn of an agent and says how it ended. It does not know Temporal, nor whether the turn is asked again.

import { resolve } from 'node:path';
import type { Exit, TurnFacts, Ending } from '../../model/agent/endings.js';
import { judgeTurn, judgeWork, structuredAnswer } from '../../model/agent/endings.js';
import type { FoundAdapter } from '../agents/index.js';
import { agentEnvironment } from '../agents/environment.js';
import type { TurnCommand } from '../agents/adapter.js';
import type { AgentWork } from '../contract.js';
import { notStartedWords, runChild } from './child.js';
import { leftoverNote, type Ended } from './ended.js';
import type { Live } from './live.js';
import { outputOf, OutputText } from './output.js';
import { inputsFile, sluiceEnv } from './surroundings.js';
import { TurnRecord } from './turn-record.js';

/** Said into a conversation that has had its prompt and was cut off (run.md, Dispatches). */
export const CONTINUE_PROMPT =
  'Your last turn was cut off from outside before it was over. Look at what is already done, and continue where you stopped.';

export interface TurnOptions {
  work: AgentWork;
  found: FoundAdapter;
  /** session to continue */
  session?: string;
  /** the session is this dispatch's own and has had the prompt */
  delivered: boolean;
}

export async function runTurn(live: Live, options: TurnOptions): Promise<Ended> {
  const { found, work } = options;
  const command = commandOf(live, options);
  const { project, mask, input, progress } = live;
  const target = { project, run: input.run, dispatch: input.id, attempt: progress.attempt, mask };
  const record = new TurnRecord(live, found.adapter, new OutputText(target));
  const env = environmentOf(live, options, command);
  const spec = { argv: command.argv, env, stopSignal: found.adapter.stopSignal, stdin: command.stdin };
  const end = await runChild(live, spec, (clocks) => record.handlers(clocks));
  if (end.kind === 'unwanted') return { ending: { kind: 'not-started', reason: 'it was ended before it started' } };
  if (end.kind === 'guard-died') return { ending: { kind: 'silence', reason: 'its guard died' }, guardDied: true };
  if (end.kind === 'not-started') return { ending: { kind: 'not-started', reason: notStartedWords(command.argv, end.failure) } };
  const facts = record.end(ownExit(live, end.exit));
  const output = found.adapter.mode === 'text' ? await record.stdout.finish() : await outputOf(answerOf(facts, work), target);
  const ending = judged(facts, work);
  return {
    ending,
    output,
    usage: record.usage,
    finished: facts.result?.ok === true,
    exit: end.exit,
    notes: [...resultNote(live), ...leftoverNote(end.exit), ...output.notes],
  };
}

/** After its result a turn is ended by us: that signal is not the agent's doing, and the note says what happened. */
function ownExit(live: Live, exit: Exit): Exit {
  return live.stopping.reason === 'result' ? { ...exit, code: 0, signal: null } : exit;
}

function resultNote(live: Live): string[] {
  return live.stopping.reason === 'result' ? [`ended ${live.input.limits.resultGraceMs / 1_000} s after its result`] : [];
}

function answerOf(facts: TurnFacts, work: AgentWork): string {
  const text = facts.result?.text ?? facts.lastMessage ?? '';
  if (work.output === undefined || facts.result?.structured === undefined) return text;
  return JSON.stringify(facts.result.structured);
}

function judged(facts: TurnFacts, work: AgentWork): Ending {
  const turn = judgeTurn(facts);
  if (turn.kind !== 'done') return turn;
  const worked = work.mustWork ? judgeWork(facts) : turn;
  if (worked.kind !== 'done') return worked;
  const notes = worked === turn ? turn.notes : [...turn.notes, ...worked.notes];
  if (work.output === undefined) return { kind: 'done', notes };
  const answer = structuredAnswer(facts);
  return answer.ok ? { kind: 'done', notes } : { kind: 'failed', outcome: 'output-refused', detail: answer.detail };
}

function commandOf(live: Live, { work, found, session, delivered }: TurnOptions): TurnCommand {
  const prompt = delivered ? CONTINUE_PROMPT : work.prompt;
  const promptFile = live.scratch.file('prompt.txt', prompt);
  const schemaFile = work.output === undefined ? undefined : live.scratch.file('schema.json', JSON.stringify(work.output));
  const model = work.model ?? found.model;
  return found.adapter.command(located(found.bin, live.project), {
    prompt,
    promptFile,
    permissions: work.permissions,
    args: [...found.args, ...work.args],
    // some CLIs refuse full permissions as root unless told
    root: process.getuid?.() === 0,
    ...(model !== undefined && { model }),
    ...(work.maxTurns !== undefined && { maxTurns: work.maxTurns }),
    ...(work.maxCost !== undefined && { maxCost: work.maxCost }),
    ...(work.output !== undefined && { output: work.output }),
    ...(schemaFile !== undefined && { schemaFile }),
    ...(session !== undefined && { session }),
  });
}

/** A program named by a path is looked for from the project, wherever the node works. */
function located([bin = '', ...rest]: string[], project: string): string[] {
  return [bin.includes('/') ? resolve(project, bin) : bin, ...rest];
}

function environmentOf(live: Live, { work, found }: TurnOptions, command: TurnCommand): Record<string, string> {
  const names = [...found.env, ...work.env.pass];
  return agentEnvironment(live.deps.env, names, { ...command.env, ...work.env.set, ...sluiceEnv(live, inputsFile(live)) });
}

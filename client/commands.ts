// Sends commands to a run and waits for what it says. Signals are kept by the server, so a command outlives an absent worker.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runWorkflowId } from '../model/ids.js';
import { done, refused, type Tried } from '../model/errors.js';
import { SIGNALS, type Command, type CommandEnvelope } from '../model/messages.js';
import type { Answer } from '../model/run/views.js';
import type { Author } from '../model/run/words.js';
import type { Door } from './connect.js';
import { isNoRun } from './failures.js';
import { describeRun } from './list.js';
import { readAnswer } from './read.js';

/** people.md: "Waits for the answer (10 s)". */
const ANSWER_MS = 10_000;

/** A signal is usually judged within 20 ms; then the looks thin out. */
const LOOK_MS = { first: 30, most: 500 };

export interface Sender {
  author: Author;
  /** name of the person, as config `me`, git or the system has it */
  by?: string;
  /** of a command that is said again: it is applied once */
  id?: string;
}

/** `answer` is absent when nobody judged the command in time: it is queued. */
export interface Sent {
  id: string;
  answer?: Answer;
}

/**
 * Sends one envelope and waits up to 10 s for its answer.
 * @returns what was answered or that it is queued; refusal `refused` (exit 4) with the run's reason, or when the run is over
 */
export async function sendCommands(door: Door, run: string, commands: Command[], sender: Sender): Promise<Tried<Sent>> {
  const id = sender.id ?? randomUUID();
  const envelope: CommandEnvelope = { id, author: sender.author, commands, at: new Date().toISOString() };
  if (sender.by !== undefined) envelope.by = sender.by;
  try {
    await door.client.workflow.getHandle(runWorkflowId(run)).signal(SIGNALS.command, envelope);
  } catch (error) {
    if (!isNoRun(error)) throw error;
    const now = await describeRun(door, run);
    return now === undefined ? refused('not-found', `no run "${run}"`) : refused('refused', overText(run, now.state, commands));
  }
  return judge(run, { id, answer: await answerOf(door, run, id) });
}

function overText(run: string, state: string, commands: Command[]): string {
  const over = `run ${run} has ended (${state})`;
  const retries = commands.some(({ command }) => command === 'retry');
  return retries ? `${over}; not yet: reopening a run that is over. Start its plan again with \`sluice run\`` : over;
}

async function answerOf(door: Door, run: string, id: string): Promise<Answer | undefined> {
  const until = Date.now() + ANSWER_MS;
  for (let wait = LOOK_MS.first; Date.now() < until; wait = Math.min(wait * 2, LOOK_MS.most)) {
    await sleep(wait);
    const answer = await readAnswer(door, run, id);
    if (answer.ok && answer.value) return answer.value;
  }
  return undefined;
}

function judge(run: string, sent: Sent): Tried<Sent> {
  const { answer } = sent;
  if (answer === undefined) return done({ id: sent.id });
  if (answer.applied) return done(sent);
  const before = answer.applied_count > 0 ? ` (${answer.applied_count} before it stay applied)` : '';
  return refused('refused', `run ${run} refused: ${answer.reason ?? 'no reason given'}${before}`);
}

// The adapter of a user's own agent: an argv template from the config, plain text or AgentEvents out (agents.md, Adapters).

import type { AgentConfig } from '../../model/config.js';
import type { Adapter, TurnCommand, TurnRequest } from './adapter.js';
import { EventStream, TextStream } from './command-stream.js';
import { fillTemplate, hasPlace } from './template.js';
import type { ReaderClock } from './zone.js';

/** Linux refuses one argument over 128 KiB; larger prompts go by stdin (agents.md, Processes; case O-02). */
export const ARGUMENT_LIMIT = 96 * 1024;

/**
 * The adapter of one entry of `agents`; `bin` of its `command` is the entry's template.
 * @returns a refusal when the entry's way to give the prompt and its template do not fit
 */
export function commandAdapter(entry: AgentConfig, clock: ReaderClock): { ok: true; adapter: Adapter } | { ok: false; reason: string } {
  const template = entry.argv ?? [];
  const prompt = entry.prompt ?? promptOf(template);
  if (prompt === 'arg' && !hasPlace(template, 'prompt')) return { ok: false, reason: 'prompt is arg, but argv has no {prompt}' };
  if (prompt === 'file' && !hasPlace(template, 'promptFile')) return { ok: false, reason: 'prompt is file, but argv has no {promptFile}' };
  const text = (entry.output ?? 'text') === 'text';
  const adapter: Adapter = {
    name: 'command',
    bin: template[0] ?? '',
    env: [],
    stopSignal: 'SIGTERM',
    abilities: {
      continue: hasPlace(template, 'session'),
      live: false,
      structured: false,
      readOnly: 'asked',
      cost: text ? 'unknown' : 'reported',
      maxTurns: false,
      maxCost: false,
    },
    mode: text ? 'text' : 'stream',
    command: (bin, turn) => command(bin, turn, prompt),
    reader: () => (text ? new TextStream(clock) : new EventStream(clock)),
  };
  return { ok: true, adapter };
}

type PromptWay = NonNullable<AgentConfig['prompt']>;

function promptOf(template: readonly string[]): PromptWay {
  if (hasPlace(template, 'prompt')) return 'arg';
  return hasPlace(template, 'promptFile') ? 'file' : 'stdin';
}

function command(template: string[], turn: TurnRequest, way: PromptWay): TurnCommand {
  const asArgument = way === 'arg' && fitsArgument(turn.prompt);
  const values = { promptFile: turn.promptFile, model: turn.model, session: turn.session, ...(asArgument ? { prompt: turn.prompt } : {}) };
  const argv = [...fillTemplate(template, values), ...turn.args];
  return { argv, env: {}, stdin: asArgument || way === 'file' ? 'ignore' : { text: turn.prompt } };
}

/** An argument can also hold no NUL byte. */
function fitsArgument(prompt: string): boolean {
  return Buffer.byteLength(prompt) <= ARGUMENT_LIMIT && !prompt.includes('\0');
}

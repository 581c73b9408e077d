// From a signal as it came to an input of the run: parsed strictly, once (run.md, Signals and commands).

import type { z } from 'zod';
import { CommandEnvelope, PlainSignal, Report, Subscribe, Upstream, type SIGNALS } from './messages.js';
import type { Input } from './run/inputs.js';

/**
 * Reads one signal. `attest`, `reply` and `cancel` carry the command's own fields with optional `id` and `by`.
 * @param newId unique in the run, for a signal that brought no id
 * @returns an input; one of kind `unreadable` says what is wrong with the body
 */
export function readSignal(name: keyof typeof SIGNALS, body: unknown, newId: string): Input {
  if (name === 'report') return read(name, Report, body, (report) => ({ kind: 'report', report }));
  if (name === 'subscribe') return read(name, Subscribe, body, (subscribe) => ({ kind: 'subscribe', subscribe }));
  if (name === 'upstream') return read(name, Upstream, body, (upstream) => ({ kind: 'upstream', upstream }));
  if (name === 'command') return read(name, CommandEnvelope, body, (envelope) => ({ kind: 'envelope', envelope }));
  return read<{ id?: string | undefined; by?: string | undefined }>(name, PlainSignal[name], body, ({ id, by, ...fields }) => {
    const envelope = { id: id ?? newId, author: 'operator', ...(by === undefined ? {} : { by }), commands: [{ command: name, ...fields }] };
    return { kind: 'envelope', envelope: envelope as CommandEnvelope };
  });
}

function read<T>(name: string, schema: z.ZodType<T>, body: unknown, make: (value: T) => Input): Input {
  const parsed = schema.safeParse(body);
  if (parsed.success) return make(parsed.data);
  const issue = parsed.error.issues[0];
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  return { kind: 'unreadable', name, reason: `unreadable body: ${where}${issue?.message ?? 'not an object'}` };
}

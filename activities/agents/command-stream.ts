// Reads the output of a `command` agent: plain text, or AgentEvents as JSON lines. Must not judge what an ending means for the node.

import { z } from 'zod';
import type { AgentEvent } from '../../model/agent/events.js';
import { cappedReset, isQuotaWording, quotaHint } from '../../model/agent/quota.js';
import type { JsonValue } from '../../model/json.js';
import type { StreamReader } from './adapter.js';
import { excerpt } from './excerpt.js';
import { jsonObject } from './json-line.js';
import type { ReaderClock } from './zone.js';

const count = z.number().nonnegative();
const Usage = z.object({
  inputTokens: count,
  cachedInputTokens: count.default(0),
  outputTokens: count,
  reasoningTokens: count.default(0),
  costUsd: count.optional(),
  turns: count.default(1),
});

/** The lines an own agent may print: the events of model/agent/events.ts as they are. */
const Line = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), id: z.string().min(1) }),
  z.object({ kind: z.literal('progress'), text: z.string().optional() }),
  z.object({ kind: z.literal('message'), text: z.string() }),
  z.object({ kind: z.literal('tool'), name: z.string(), text: z.string().optional() }),
  z.object({ kind: z.literal('usage'), usage: Usage, cumulative: z.enum(['thread', 'process', 'turn']).default('turn') }),
  z.object({
    kind: z.literal('quota'),
    quota: z.object({ resetAt: z.iso.datetime({ offset: true }).optional(), exact: z.boolean().default(false), text: z.string() }),
  }),
  z.object({
    kind: z.literal('error'),
    fault: z.enum(['login', 'billing', 'server', 'task', 'budget']),
    message: z.string(),
    http: z.number().int().optional(),
  }),
  z.object({ kind: z.literal('result'), ok: z.boolean(), text: z.string().optional(), structured: z.custom<JsonValue>().optional() }),
]);

/** `output: ndjson`. A line that is no AgentEvent is the agent's own chatter and stays in the log. */
export class EventStream implements StreamReader {
  constructor(private readonly clock: ReaderClock) {}

  stdout(line: string): AgentEvent[] {
    const read = Line.safeParse(jsonObject(line));
    if (!read.success) return [];
    return [read.data.kind === 'quota' ? this.quota(read.data) : read.data];
  }

  stderr(): AgentEvent[] {
    return [];
  }

  /** The caps hold for own agents too; a time that they do not tell may stand in their words. */
  private quota(event: Extract<AgentEvent, { kind: 'quota' }>): AgentEvent {
    const { resetAt, exact, text } = event.quota;
    const now = this.clock.now();
    if (resetAt === undefined) return { kind: 'quota', quota: quotaHint(text, now, this.clock.zone) };
    return { kind: 'quota', quota: { resetAt: cappedReset(Date.parse(resetAt), now, exact), exact, text } };
  }
}

/**
 * `output: text`: stdout is the message, so that no line of it is an event. The last line of stderr of a failing exit is the one
 * place where a plain program tells a refusal by quota; stdout is talk (case O-12).
 */
export class TextStream implements StreamReader {
  private lastError = '';

  constructor(private readonly clock: ReaderClock) {}

  stdout(): AgentEvent[] {
    return [];
  }

  stderr(line: string): AgentEvent[] {
    if (line.trim() !== '') this.lastError = line;
    return [];
  }

  end(exit: { code: number | null; signal: string | null }): AgentEvent[] {
    if (exit.code === 0 || !isQuotaWording(this.lastError)) return [];
    return [{ kind: 'quota', quota: quotaHint(excerpt(this.lastError), this.clock.now(), this.clock.zone) }];
  }
}

// Reads the `stream-json` output of claude into AgentEvents. Must not judge what an ending means for the node.

import type { AgentEvent } from '../../model/agent/events.js';
import { faultOf } from '../../model/agent/faults.js';
import { quotaHint } from '../../model/agent/quota.js';
import type { StreamReader } from './adapter.js';
import { readClaudeLine } from './claude-lines.js';
import type { ClaudeAssistant, ClaudeLine, ClaudeResult } from './claude-lines.js';
import { claudeUsageEvents } from './claude-usage.js';
import { excerpt, excerptOf } from './excerpt.js';
import { jsonObject } from './json-line.js';
import type { ReaderClock } from './zone.js';

/** messages of this model were made up by the CLI for an API error: not speech (run.md, Dispatches) */
const SYNTHETIC = '<synthetic>';

/** Refusals to start that only stderr tells; without them they would pass for silence and be asked again in vain. */
const REFUSALS: readonly RegExp[] = [
  /^No conversation found with session ID/,
  /^Error: Session ID .* is already in use/,
  /cannot be used with root\/sudo privileges/,
  /^Error: Input must be provided either through stdin/,
];

export class ClaudeStream implements StreamReader {
  private session: string | undefined;
  /** of a limit that was refused outright, told before the message that fails the turn */
  private rejected: { resetsAt?: number; text: string } | undefined;
  /** an API error that claude has announced in a made-up message, not yet in a result */
  private announced: { word: string; text: string } | undefined;
  private ended = false;

  constructor(private readonly clock: ReaderClock) {}

  stdout(line: string): AgentEvent[] {
    const read = readClaudeLine(jsonObject(line));
    return read === undefined ? [] : this.events(read);
  }

  stderr(line: string): AgentEvent[] {
    return REFUSALS.some((refusal) => refusal.test(line)) ? [{ kind: 'error', fault: 'task', message: line }] : [];
  }

  /**
   * A turn that broke off after it announced an API error still says which; one that a signal ended is told by its signal.
   * Exit 0 without a result adds nothing: that is how claude ends when interrupted, and no success.
   */
  end(exit: { signal: string | null }): AgentEvent[] {
    if (this.ended || exit.signal !== null) return [];
    if (this.announced !== undefined) return this.fault(this.announced.text, undefined);
    return this.rejected === undefined ? [] : this.quota(this.rejected.text);
  }

  private events(line: ClaudeLine): AgentEvent[] {
    switch (line.type) {
      case 'system':
        return [...this.sessionEvent(line.session_id), { kind: 'progress', text: systemText(line) }];
      case 'assistant':
        return this.assistant(line);
      case 'user':
        return toolResults(line.message.content);
      case 'rate_limit_event':
        return this.rateLimit(line.rate_limit_info);
      case 'result':
        return this.result(line);
      default:
        return line satisfies never;
    }
  }

  private sessionEvent(id: string | undefined): AgentEvent[] {
    if (id === undefined || id === this.session) return [];
    this.session = id;
    return [{ kind: 'session', id }];
  }

  private assistant(line: ClaudeAssistant): AgentEvent[] {
    if (line.message.model === SYNTHETIC) {
      const text = line.message.content.map((block) => block.text ?? '').join('');
      if (line.error) this.announced = { word: line.error, text };
      return [{ kind: 'progress', text: excerpt(text) }];
    }
    return line.message.content.map((block) => {
      if (block.type === 'tool_use') return { kind: 'tool', name: block.name ?? 'tool', text: excerptOf(block.input) };
      // A sub-agent's words are work in progress, never the answer of the turn.
      if (block.type === 'text' && !line.parent_tool_use_id) return { kind: 'message', text: block.text ?? '' };
      return { kind: 'progress', text: excerpt(block.text ?? block.type) };
    });
  }

  private rateLimit(info: { status: string; resetsAt?: number; rateLimitType?: string; isUsingOverage?: boolean }): AgentEvent[] {
    const text = `${info.rateLimitType ?? 'rate'} limit: ${info.status}`;
    // On paid extra usage the turn goes on although the limit itself is spent.
    if (info.status === 'rejected' && !info.isUsingOverage) this.rejected = { resetsAt: info.resetsAt, text };
    return [{ kind: 'progress', text }];
  }

  private result(line: ClaudeResult): AgentEvent[] {
    this.ended = true;
    const events: AgentEvent[] = [...this.sessionEvent(line.session_id), ...claudeUsageEvents(line)];
    if (line.subtype === 'success' && line.is_error !== true) {
      const structured = line.structured_output === undefined ? {} : { structured: line.structured_output };
      return [...events, { kind: 'result', ok: true, text: line.result ?? '', ...structured }];
    }
    return [...events, ...this.failure(line), { kind: 'result', ok: false }];
  }

  /** `subtype` tells limits that were set; an API failure says "success" there, with `is_error` and a status. */
  private failure(line: ClaudeResult): AgentEvent[] {
    const text = line.result ?? line.errors?.join('; ') ?? line.subtype;
    if (line.subtype === 'error_max_budget_usd') return [{ kind: 'error', fault: 'budget', message: text }];
    if (line.subtype !== 'success') return [{ kind: 'error', fault: 'task', message: `${line.subtype}: ${text}` }];
    return this.fault(text, line.api_error_status ?? undefined);
  }

  private fault(text: string, status: number | undefined): AgentEvent[] {
    const { fault, http } = faultOf({ text, word: this.announced?.word, http: status });
    if (fault === 'quota') return this.quota(text);
    return [{ kind: 'error', fault, message: excerpt(text), ...(http === undefined ? {} : { http }) }];
  }

  private quota(text: string): AgentEvent[] {
    return [{ kind: 'quota', quota: quotaHint(excerpt(text), this.clock.now(), this.clock.zone, this.rejected?.resetsAt) }];
  }
}

function systemText(line: Extract<ClaudeLine, { type: 'system' }>): string {
  if (line.subtype !== 'api_retry') return line.subtype;
  return `retry ${line.attempt ?? '?'} of ${line.max_retries ?? '?'}: ${line.error_status ?? line.error ?? 'no answer'}`;
}

function toolResults(content: Extract<ClaudeLine, { type: 'user' }>['message']['content']): AgentEvent[] {
  if (typeof content === 'string') return [];
  return content.filter((block) => block.type === 'tool_result').map((block) => ({ kind: 'progress', text: excerptOf(block.content) }));
}

// Reads the output of `codex exec --json` into AgentEvents. Must not judge what an ending means for the node.

import type { AgentEvent } from '../../model/agent/events.js';
import { faultOf } from '../../model/agent/faults.js';
import { quotaHint } from '../../model/agent/quota.js';
import { codexUsage } from '../../model/agent/usage.js';
import type { StreamReader } from './adapter.js';
import { readCodexLine } from './codex-lines.js';
import type { CodexItem, CodexLine } from './codex-lines.js';
import { excerpt, excerptOf } from './excerpt.js';
import { jsonObject } from './json-line.js';
import type { ReaderClock } from './zone.js';

/** Refusals to start that only stderr tells; without them they would pass for silence and be asked again in vain. */
const REFUSALS: readonly RegExp[] = [/no rollout found for thread id/, /^No prompt provided via stdin/];

/** Items that are a tool at work, by the name it is told under. */
const TOOLS: Readonly<Record<string, (item: CodexItem) => { name: string; text: string }>> = {
  command_execution: (item) => ({ name: 'shell', text: item.command ?? '' }),
  file_change: (item) => ({ name: 'edit', text: excerptOf(item.changes) }),
  mcp_tool_call: (item) => ({ name: [item.server, item.tool].filter(Boolean).join('.') || 'mcp', text: '' }),
  web_search: (item) => ({ name: 'web_search', text: item.query ?? '' }),
};

export class CodexStream implements StreamReader {
  private answer: string | undefined;
  private notice: string | undefined;
  private readonly toolsTold = new Set<string>();
  private ended = false;

  constructor(private readonly clock: ReaderClock) {}

  stdout(line: string): AgentEvent[] {
    const read = readCodexLine(jsonObject(line));
    return read === undefined ? [] : this.events(read);
  }

  stderr(line: string): AgentEvent[] {
    return REFUSALS.some((refusal) => refusal.test(line)) ? [{ kind: 'error', fault: 'task', message: line }] : [];
  }

  /** An exit without `turn.failed` after an error that nothing followed: the error says why. A signal is told by itself. */
  end(exit: { signal: string | null }): AgentEvent[] {
    return this.ended || exit.signal !== null || this.notice === undefined ? [] : this.fault(this.notice);
  }

  private events(line: CodexLine): AgentEvent[] {
    switch (line.type) {
      case 'thread.started':
        return [{ kind: 'session', id: line.thread_id }];
      case 'turn.started':
        return [{ kind: 'progress', text: 'turn started' }];
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return this.item(line.item, line.type === 'item.completed');
      case 'error':
        return this.retrying(line.message);
      case 'turn.completed':
        return this.completed(line.usage);
      case 'turn.failed':
        this.ended = true;
        return [...this.fault(line.error.message), { kind: 'result', ok: false }];
      default:
        return line satisfies never;
    }
  }

  private item(item: CodexItem, completed: boolean): AgentEvent[] {
    this.notice = undefined;
    if (item.type === 'agent_message') return completed ? this.said(item.text ?? '') : [];
    const tool = TOOLS[item.type]?.(item);
    if (tool !== undefined && !this.toolsTold.has(item.id)) {
      this.toolsTold.add(item.id);
      return [{ kind: 'tool', name: tool.name, text: excerpt(tool.text) }];
    }
    // An item of type error is a warning (unknown model metadata, …) in a turn that may well succeed.
    return [{ kind: 'progress', text: excerpt(item.message ?? item.aggregated_output ?? item.text ?? item.type) }];
  }

  private said(text: string): AgentEvent[] {
    this.answer = text;
    return [{ kind: 'message', text }];
  }

  /** Without a network codex repeats one notice for ever: only a new one is a sign of life. */
  private retrying(message: string): AgentEvent[] {
    if (message === this.notice) return [];
    this.notice = message;
    return [{ kind: 'progress', text: excerpt(message) }];
  }

  /** The usage is the running total of the thread, also across resumes. */
  private completed(usage: Extract<CodexLine, { type: 'turn.completed' }>['usage']): AgentEvent[] {
    this.ended = true;
    const told: AgentEvent[] = usage === undefined ? [] : [{ kind: 'usage', usage: codexUsage(usage, 1), cumulative: 'thread' }];
    return [...told, { kind: 'result', ok: true, ...(this.answer === undefined ? {} : { text: this.answer }) }];
  }

  private fault(message: string): AgentEvent[] {
    const text = excerpt(message);
    const { fault, http } = faultOf({ text });
    if (fault === 'quota') return [{ kind: 'quota', quota: quotaHint(text, this.clock.now(), this.clock.zone) }];
    return [{ kind: 'error', fault, message: text, ...(http === undefined ? {} : { http }) }];
  }
}

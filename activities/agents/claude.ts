// The adapter of claude (Claude Code 2.1): how a turn is started (agent-clis.md). Its stream is read in claude-stream.ts.

import type { Permissions } from '../../model/plan/compiled.js';
import type { Adapter, TurnRequest } from './adapter.js';
import { ClaudeStream } from './claude-stream.js';
import type { ReaderClock } from './zone.js';

const PERMISSIONS: Readonly<Record<Permissions, readonly string[]>> = {
  full: ['--dangerously-skip-permissions'],
  edit: ['--permission-mode', 'acceptEdits'],
  read: ['--permission-mode', 'plan'],
};

// Named one by one: a pattern for CLAUDE_CODE_ would let through whatever marks the session of an agent that starts us.
const ENV = [
  'ANTHROPIC_*',
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_MAX_RETRIES',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  'CLAUDE_CODE_API_KEY_HELPER_TTL_MS',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
  'DISABLE_TELEMETRY',
  'DISABLE_ERROR_REPORTING',
  'DISABLE_AUTOUPDATER',
  'API_TIMEOUT_MS',
];

/** `clock` serves the reader of reset hints; tests pin it. */
export function claudeAdapter(clock: ReaderClock): Adapter {
  return {
    name: 'claude',
    bin: 'claude',
    env: ENV,
    stopSignal: 'SIGINT',
    abilities: { continue: true, live: false, structured: true, readOnly: 'enforced', cost: 'reported', maxTurns: true, maxCost: true },
    mode: 'stream',
    command: (bin, turn) => ({ argv: [...bin, ...flags(turn)], env: literals(turn), stdin: { text: turn.prompt } }),
    reader: () => new ClaudeStream(clock),
  };
}

/** The prompt goes by stdin always: no limit of the system's on an argument's size, and no dash is taken for a flag (case O-02). */
function flags(turn: TurnRequest): string[] {
  // Seen: `--max-turns 0` is taken for no limit. Plans refuse it, so here it is a defect.
  if (turn.maxTurns === 0) throw new RangeError('claude: maxTurns must be at least 1, 0 would mean no limit');
  return [
    ...['-p', '--output-format', 'stream-json', '--verbose'],
    ...PERMISSIONS[turn.permissions],
    ...option('--model', turn.model),
    ...option('--max-turns', turn.maxTurns),
    ...option('--max-budget-usd', turn.maxCost),
    ...option('--json-schema', turn.output === undefined ? undefined : JSON.stringify(turn.output)),
    ...option('--resume', turn.session),
    ...turn.args,
  ];
}

function option(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [flag, String(value)];
}

/** As root claude refuses to skip permissions unless it is told that it runs in a sandbox. */
function literals(turn: TurnRequest): Record<string, string> {
  return turn.root && turn.permissions === 'full' ? { IS_SANDBOX: '1' } : {};
}

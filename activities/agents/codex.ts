// The adapter of codex (0.171): how a turn is started (agent-clis.md). Its stream is read in codex-stream.ts.

import type { Permissions } from '../../model/plan/compiled.js';
import type { Adapter, TurnRequest } from './adapter.js';
import { CodexStream } from './codex-stream.js';
import type { ReaderClock } from './zone.js';

// Nobody answers a question of an unattended turn; `-a never` is only known before `exec`, so it is set by its config key.
const NEVER_ASK = ['-c', 'approval_policy="never"'];

const PERMISSIONS: Readonly<Record<Permissions, readonly string[]>> = {
  full: ['--dangerously-bypass-approvals-and-sandbox'],
  edit: ['-s', 'workspace-write', ...NEVER_ASK],
  read: ['-s', 'read-only', ...NEVER_ASK],
};

const ENV = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_ORGANIZATION', 'OPENAI_PROJECT', 'CODEX_API_KEY', 'CODEX_HOME'];

/** `clock` serves the reader of reset hints; tests pin it. */
export function codexAdapter(clock: ReaderClock): Adapter {
  return {
    name: 'codex',
    bin: 'codex',
    env: ENV,
    stopSignal: 'SIGINT',
    abilities: { continue: true, live: false, structured: true, readOnly: 'enforced', cost: 'unknown', maxTurns: false, maxCost: false },
    mode: 'stream',
    command: (bin, turn) => ({ argv: [...bin, ...flags(turn)], env: {}, stdin: { text: turn.prompt } }),
    reader: () => new CodexStream(clock),
  };
}

/** Options stand before `resume`, which knows none of them. `-` is the prompt: it comes by stdin, always (case O-02). */
function flags(turn: TurnRequest): string[] {
  return [
    ...['exec', '--json', '--skip-git-repo-check'],
    ...PERMISSIONS[turn.permissions],
    ...(turn.model === undefined ? [] : ['-m', turn.model]),
    ...(turn.output === undefined || turn.schemaFile === undefined ? [] : ['--output-schema', turn.schemaFile]),
    ...turn.args,
    ...(turn.session === undefined ? [] : ['resume', turn.session]),
    '-',
  ];
}

// Starts the real claude and codex through their adapters, on a model scripted on loopback: clean environment, empty HOME,
// made-up key. Must never see the account or the files of whoever runs the tests.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { StreamReader, TurnRequest } from '../../activities/agents/adapter.js';
import { agentEnvironment } from '../../activities/agents/environment.js';
import { findAdapter } from '../../activities/agents/index.js';
import { LineSplitter } from '../../activities/process/lines.js';
import type { AgentEvent } from '../../model/agent/events.js';
import type { Config } from '../../model/config.js';
import { agentsFolder } from '../../scripts/install-agents.mjs';
import { startScriptedModel } from '../support/scripted-model.mjs';
import type { ScriptedModel } from '../support/scripted-model.mjs';

export type Cli = 'claude' | 'codex';

/** A config whose agents are the installed CLIs; runs can be given it too. */
export const config: Config = {
  agents: {
    claude: { bin: path.join(agentsFolder(), 'node_modules/.bin/claude') },
    codex: { bin: path.join(agentsFolder(), 'node_modules/.bin/codex') },
  },
};

export interface Turn {
  events: AgentEvent[];
  stderr: string[];
  exit: { code: number | null; signal: string | null };
}

/** A place for the turns of one test: its own model, home and working directory. */
export class Bench {
  private constructor(
    readonly model: ScriptedModel,
    readonly home: string,
    readonly dir: string,
  ) {}

  static async open(script?: Parameters<typeof startScriptedModel>[0]): Promise<Bench> {
    // Not below the system's temporary folder: codex warns of a HOME there.
    const homes = path.join(agentsFolder(), 'homes');
    mkdirSync(homes, { recursive: true });
    return new Bench(
      await startScriptedModel(script),
      mkdtempSync(path.join(homes, 'h-')),
      mkdtempSync(path.join(tmpdir(), 'sluice-agents-')),
    );
  }

  async close(): Promise<void> {
    await this.model.close();
    for (const folder of [this.home, this.dir]) rmSync(folder, { recursive: true, force: true });
  }

  /** The variables (and, for codex, the settings file) that point a CLI at a mode of the model. */
  environment(cli: Cli, mode: string, url = this.model.url): Record<string, string> {
    if (cli === 'codex') return this.codexSettings(`${url}/${mode}/v1`);
    return {
      HOME: this.home,
      ANTHROPIC_BASE_URL: `${url}/${mode}`,
      ANTHROPIC_API_KEY: 'sk-ant-dummy',
      CLAUDE_CODE_MAX_RETRIES: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    };
  }

  private codexSettings(baseUrl: string): Record<string, string> {
    mkdirSync(path.join(this.home, '.codex'), { recursive: true });
    const settings = [
      'model_provider = "scripted"',
      'model = "gpt-5"',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${baseUrl}"`,
      'env_key = "SCRIPTED_KEY"',
      'wire_api = "responses"',
      'request_max_retries = 0',
      'stream_max_retries = 0',
    ];
    writeFileSync(path.join(this.home, '.codex/config.toml'), settings.join('\n'));
    return { HOME: this.home, SCRIPTED_KEY: 'dummy' };
  }

  /**
   * One turn, from the adapter's command to its events. `watch` sees each event as it comes, and can have the turn stopped by the
   * adapter's signal. `env` replaces or (undefined) removes variables of `environment`.
   */
  async turn(cli: Cli, mode: string, request: Partial<TurnRequest> = {}, more: TurnOptions = {}): Promise<Turn> {
    const found = findAdapter(cli, config);
    if (!found.ok) throw new Error(found.reason);
    const { adapter, bin } = found;
    const root = process.getuid?.() === 0;
    const command = adapter.command(bin, { prompt: 'Say done.', permissions: 'edit', args: [], promptFile: '', root, ...request });
    const literals = defined({ ...this.environment(cli, mode), ...command.env, ...more.env });
    const child = execa(command.argv[0]!, command.argv.slice(1), {
      cwd: this.dir,
      env: agentEnvironment(process.env, found.env, literals),
      extendEnv: false,
      input: command.stdin === 'ignore' ? '' : command.stdin.text,
      reject: false,
      buffer: false,
      // A turn on loopback takes a second; a minute is a hang.
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    const reading = new Reading(adapter.reader(), (event) => more.watch?.(event, () => child.kill(adapter.stopSignal)));
    child.stdout.on('data', (chunk: Buffer) => reading.out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => reading.err.push(chunk));
    const ended = await child;
    return reading.end({ code: ended.exitCode ?? null, signal: ended.signal ?? null });
  }
}

export interface TurnOptions {
  watch?: (event: AgentEvent, stop: () => void) => void;
  env?: Record<string, string | undefined>;
}

/** What an adapter's reader makes of one process's streams. */
class Reading {
  private readonly events: AgentEvent[] = [];
  private readonly stderr: string[] = [];
  readonly out = new LineSplitter({ onLine: ({ line }) => this.take(this.reader.stdout(line)) });
  readonly err = new LineSplitter({
    onLine: ({ line }) => {
      this.stderr.push(line);
      this.take(this.reader.stderr(line));
    },
  });

  constructor(
    private readonly reader: StreamReader,
    private readonly watch: (event: AgentEvent) => void,
  ) {}

  end(exit: Turn['exit']): Turn {
    this.out.end();
    this.err.end();
    this.take(this.reader.end?.(exit) ?? []);
    return { events: this.events, stderr: this.stderr, exit };
  }

  private take(events: AgentEvent[]): void {
    for (const event of events) {
      this.events.push(event);
      this.watch(event);
    }
  }
}

function defined(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function of<K extends AgentEvent['kind']>(turn: Turn, kind: K): Extract<AgentEvent, { kind: K }>[] {
  return turn.events.filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind);
}

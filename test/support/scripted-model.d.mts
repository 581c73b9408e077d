// Types of scripted-model.mjs for the tests that start it in their own process.

export interface ServedCount {
  requests: number;
  /** requests that were answered with tokens */
  answers: number;
  anthropic: { input_tokens: number; cache_creation_input_tokens: number; cache_read_input_tokens: number; output_tokens: number };
  /** `cached_tokens` is part of `input_tokens` */
  openai: { input_tokens: number; cached_tokens: number; output_tokens: number; reasoning_tokens: number };
}

export interface ScriptedModel {
  url: string;
  port: number;
  served(): ServedCount;
  requests(): { api: 'anthropic' | 'openai'; mode: string; body: Record<string, unknown> }[];
  close(): Promise<void>;
}

export function startScriptedModel(script?: { port?: number; command?: string; text?: string; json?: unknown }): Promise<ScriptedModel>;

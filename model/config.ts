// The project's `sluice.config.yaml` and the user's config: one zod schema, strict (people.md, Configuration).

import { z } from 'zod';

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'a name of letters, digits, dots, dashes and underscores');

const AgentConfig = z.strictObject({
  /** built-in adapter this entry adjusts, or `command`; default: the entry's own name */
  adapter: z.string().optional(),
  bin: z.string().min(1).optional(),
  model: z.string().optional(),
  args: z.array(z.string()).optional(),
  /** names of variables passed through */
  env: z.array(z.string()).optional(),
  account: z.string().optional(),
  /** `command` only: an argv template; `{prompt}`, `{promptFile}`, `{model}`, `{session}` are replaced as whole words or inside one */
  argv: z.array(z.string()).min(1).optional(),
  prompt: z.enum(['stdin', 'file', 'arg']).optional(),
  output: z.enum(['text', 'ndjson']).optional(),
});
export type AgentConfig = z.infer<typeof AgentConfig>;

export const Config = z.strictObject({
  /** the project's id; default its remote's URL, else its path */
  project: z.string().min(1).optional(),
  fleet: name.optional(),
  me: z.string().optional(),
  agents: z.record(name, AgentConfig).optional(),
  models: z.record(z.string(), z.strictObject({ agent: z.string(), name: z.string().optional() })).optional(),
  defaults: z.strictObject({ agent: z.string().optional(), model: z.string().optional() }).optional(),
  executors: z.record(name, z.strictObject({ labels: z.record(z.string(), z.string()).optional() })).optional(),
  personas: z.record(z.string(), z.string()).optional(),
  /** see model/settings.ts; unusable values fall back with a warning */
  settings: z.record(z.string(), z.unknown()).optional(),
  /** masked in logs, events and heartbeats */
  secrets: z.array(z.string().min(6)).optional(),
  /** shared store of large payloads, required off the local machine */
  payloadStore: z.strictObject({ dir: z.string(), shared: z.boolean().optional() }).optional(),
});
export type Config = z.infer<typeof Config>;

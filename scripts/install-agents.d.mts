// Types of install-agents.mjs for the tests that look for what it installed.

/** npm package and version, by adapter */
export const VERSIONS: Record<'claude' | 'codex', [packageName: string, version: string]>;

export function agentsFolder(env?: Record<string, string | undefined>): string;

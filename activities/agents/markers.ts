// The variables by which agent CLIs mark that a process runs inside one of their sessions. A worker started from such a session
// must not hand them on: the CLI it starts would take itself for nested and refuse (agents.md, Processes; case O-06).

/**
 * Seen in the environment of tools of claude 2.1 and codex 0.171; the others' from their documentation.
 * Exact names: variables that configure a CLI share the same prefixes.
 */
export const SESSION_MARKERS: readonly string[] = [
  'AI_AGENT',
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_EXECPATH',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_EFFORT',
  'CODEX_CI',
  'CODEX_INTERNAL_ORIGINATOR_OVERRIDE',
  'CODEX_MANAGED_BY_NPM',
  'CODEX_MANAGED_PACKAGE_ROOT',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_SESSION_ID',
  'CODEX_THREAD_ID',
  'CODEX_TOOL_CALL_ID',
  'CODEX_VERSION',
  'CURSOR_AGENT',
  'CURSOR_TRACE_ID',
  'GEMINI_CLI',
  'OPENCODE',
];

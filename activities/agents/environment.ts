// The whole environment of a child, built from the worker's by rule (agents.md, Processes). Pure: it reads no process.env itself.

import type { EnvSpec } from '../../model/plan/compiled.js';
import { SESSION_MARKERS } from './markers.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What every agent gets. A name may end with `*`. */
export const BASE_ENV: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'SHELL', 'LANG', 'LC_*', 'TZ', 'TERM', 'TMPDIR', 'XDG_*'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'GIT_SSL_CAINFO'],
];

/** Withheld from programs that do not name them: Temporal's connection, Sluice's own (sockets, tokens, keys), forge tokens. */
const WITHHELD: readonly string[] = [
  ...['TEMPORAL_*', 'SLUICE_*'],
  ...['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN', 'GITLAB_TOKEN', 'GITLAB_ACCESS_TOKEN'],
  ...['GL_TOKEN', 'CI_JOB_TOKEN', 'GITEA_TOKEN', 'FORGEJO_TOKEN', 'BITBUCKET_TOKEN'],
];

/**
 * An agent's: the base list, then `names` (its adapter's, the config's, the plan's; each may end with `*`) from the worker's
 * environment, then `literals`, which win. Markers of an enclosing session are passed under no name; a literal may set one.
 */
export function agentEnvironment(
  worker: Environment,
  names: readonly string[],
  literals: Readonly<Record<string, string>>,
): Record<string, string> {
  const asked = matcher([...BASE_ENV, ...names]);
  return { ...select(worker, asked), ...literals };
}

/** A program's: the worker's without what is withheld and not named in `spec.pass`, and without session markers; then `spec.set`. */
export function programEnvironment(worker: Environment, spec: EnvSpec): Record<string, string> {
  const withheld = matcher(WITHHELD);
  // A bare `*` asks for everything there is to pass, not for what is held back.
  const asked = matcher(spec.pass.filter((name) => name !== '*'));
  return { ...select(worker, (name) => !withheld(name) || asked(name)), ...spec.set };
}

function select(worker: Environment, wanted: (name: string) => boolean): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(worker)) {
    if (value !== undefined && !SESSION_MARKERS.includes(name) && wanted(name)) chosen[name] = value;
  }
  return chosen;
}

function matcher(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !name.endsWith('*')));
  const prefixes = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

// What of the environment of a worker reaches its children: planted secrets and session markers do not.

import { describe, expect, it } from '@jest/globals';
import { agentEnvironment, programEnvironment } from '../../../activities/agents/environment.js';
import { findAdapter } from '../../../activities/agents/index.js';
import { SESSION_MARKERS } from '../../../activities/agents/markers.js';

const markers = Object.fromEntries(SESSION_MARKERS.map((name) => [name, '1']));
const planted = {
  ...markers,
  PATH: '/bin',
  HOME: '/home/user',
  LC_ALL: 'C.UTF-8',
  XDG_STATE_HOME: '/state',
  https_proxy: 'http://proxy',
  SSL_CERT_FILE: '/ca.pem',
  EMPTY: undefined,
  EDITOR: 'vi',
  TEMPORAL_API_KEY: 'planted',
  TEMPORAL_ADDRESS: 'planted',
  SLUICE_TOKEN: 'planted',
  SLUICE_CODEC_KEY: 'planted',
  GH_TOKEN: 'planted',
  GITHUB_TOKEN: 'planted',
  GITLAB_TOKEN: 'planted',
  AWS_SECRET_ACCESS_KEY: 'planted',
  ANTHROPIC_API_KEY: 'key',
  ANTHROPIC_BASE_URL: 'http://model',
  CLAUDE_CODE_MAX_RETRIES: '1',
  OPENAI_API_KEY: 'other key',
};
const BASE = {
  PATH: '/bin',
  HOME: '/home/user',
  LC_ALL: 'C.UTF-8',
  XDG_STATE_HOME: '/state',
  https_proxy: 'http://proxy',
  SSL_CERT_FILE: '/ca.pem',
};

function envOf(name: string): string[] {
  const found = findAdapter(name, undefined);
  if (!found.ok) throw new Error(found.reason);
  return found.env;
}

describe('the environment of an agent', () => {
  it('is the base list and nothing else', () => {
    expect(agentEnvironment(planted, [], {})).toEqual(BASE);
  });

  it('has what its adapter declares', () => {
    const own = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: 'http://model', CLAUDE_CODE_MAX_RETRIES: '1' };
    expect(agentEnvironment(planted, envOf('claude'), {})).toEqual({ ...BASE, ...own });
    expect(agentEnvironment(planted, envOf('codex'), {})).toEqual({ ...BASE, OPENAI_API_KEY: 'other key' });
  });

  it('has what the user asked for by name or beginning, and literals before all', () => {
    const environment = agentEnvironment(planted, ['EDITOR', 'AWS_*', 'NOT_SET', 'EMPTY'], { HOME: '/tmp/h', IS_SANDBOX: '1' });
    expect(environment).toEqual({ ...BASE, EDITOR: 'vi', AWS_SECRET_ACCESS_KEY: 'planted', HOME: '/tmp/h', IS_SANDBOX: '1' });
  });

  it('never has a marker of an enclosing session, under any name (O-06)', () => {
    const environment = agentEnvironment(planted, ['CLAUDECODE', 'CLAUDE_*', 'CODEX_*', '*'], {});
    expect(Object.keys(environment).filter((name) => SESSION_MARKERS.includes(name))).toEqual([]);
    expect(environment.CLAUDE_CODE_MAX_RETRIES).toBe('1');
  });
});

describe('the environment of a program', () => {
  const secrets = ['TEMPORAL_API_KEY', 'TEMPORAL_ADDRESS', 'SLUICE_TOKEN', 'SLUICE_CODEC_KEY', 'GH_TOKEN', 'GITHUB_TOKEN', 'GITLAB_TOKEN'];

  it("is the worker's without Temporal's, Sluice's, forge tokens and session markers", () => {
    const environment = programEnvironment(planted, { pass: [], set: {} });
    const withheld = new Set([...secrets, ...SESSION_MARKERS, 'EMPTY']);
    expect(environment).toEqual(Object.fromEntries(Object.entries(planted).filter(([name]) => !withheld.has(name))));
  });

  it('has the tokens that it asks for, and no more', () => {
    const environment = programEnvironment(planted, { pass: ['GH_TOKEN', 'TEMPORAL_ADDRESS', 'CLAUDECODE'], set: { EXTRA: '1' } });
    expect(secrets.filter((name) => name in environment)).toEqual(['TEMPORAL_ADDRESS', 'GH_TOKEN']);
    expect(environment.EXTRA).toBe('1');
    expect(environment.CLAUDECODE).toBeUndefined();
  });

  it('does not get what is withheld for asking for everything', () => {
    const environment = programEnvironment(planted, { pass: ['*'], set: {} });
    expect(secrets.filter((name) => name in environment)).toEqual([]);
  });
});

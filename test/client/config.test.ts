// The layers of the configuration, where each value came from, and what is said of those that cannot be used.

import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../client/config.js';
import type { LoadedConfig } from '../../client/config.js';
import { DEFAULT_SETTINGS } from '../../model/settings.js';
import { inFolder } from './plan-temp.js';

/** Loads with `user` as the user's file and `project` as the project's. */
function load<T>(
  files: { user?: string; project?: string },
  env: Record<string, string>,
  use: (loaded: Awaited<ReturnType<typeof loadConfig>>, dir: string) => T,
): Promise<T> {
  const given = {
    ...(files.user === undefined ? {} : { 'home/.config/sluice/config.yaml': files.user }),
    ...(files.project === undefined ? {} : { 'project/sluice.config.yaml': files.project }),
    'home/keep': '',
    'project/keep': '',
  };
  return inFolder(given, async (dir) => use(await loadConfig(join(dir, 'project'), env, join(dir, 'home')), dir));
}

const valueOf = (loaded: Awaited<ReturnType<typeof loadConfig>>): LoadedConfig => {
  if (!loaded.ok) throw new Error(loaded.refusal.message);
  return loaded.value;
};

describe('the configuration', () => {
  it('is empty without files and variables', async () => {
    await load({}, {}, (loaded) => expect(valueOf(loaded)).toEqual({ config: {}, settings: DEFAULT_SETTINGS, warnings: [], origins: {} }));
  });

  it('is the user, then the project, then the environment, key by key, and each value knows where it is from', async () => {
    const user = 'me: user\nagents: { claude: { bin: /u/claude, args: [-a, -b] } }\nsettings: { graceMs: 1000, quietMs: 2000 }\n';
    const project =
      'project: p\nagents: { claude: { model: opus, args: [-c] }, mine: { adapter: command, argv: [x] } }\nsettings: { quietMs: 3000 }\n';
    await load({ user, project }, { SLUICE_AGENT: 'mine', SLUICE_BACKOFF_MS: '7', SLUICE_ME: '' }, (loaded, dir) => {
      const { config, settings, origins, warnings } = valueOf(loaded);
      expect(config.agents).toEqual({
        claude: { bin: '/u/claude', model: 'opus', args: ['-c'] },
        mine: { adapter: 'command', argv: ['x'] },
      });
      expect([config.me, config.project, config.defaults]).toEqual(['user', 'p', { agent: 'mine' }]);
      expect([settings.graceMs, settings.quietMs, settings.backoffMs]).toEqual([1000, 3000, 7]);
      expect(origins).toMatchObject({
        me: join(dir, 'home/.config/sluice/config.yaml'),
        'settings.quietMs': join(dir, 'project/sluice.config.yaml'),
        'agents.claude.args': join(dir, 'project/sluice.config.yaml'),
        'settings.backoffMs': 'SLUICE_BACKOFF_MS',
        'defaults.agent': 'SLUICE_AGENT',
      });
      expect(warnings).toEqual([]);
    });
  });

  it('falls back where a setting cannot be used, naming it and where it stands', async () => {
    await load({ project: 'settings: { quietMs: 0, graceMs: 0, quitMs: 5 }\n' }, { SLUICE_AGENT_ATTEMPTS: 'many' }, (loaded, dir) => {
      const { settings, warnings } = valueOf(loaded);
      expect([settings.quietMs, settings.graceMs, settings.agentAttempts]).toEqual([DEFAULT_SETTINGS.quietMs, 0, 3]);
      expect(warnings).toEqual([
        `settings.quietMs (${dir}/project/sluice.config.yaml): 0 cannot be used, using 2400000`,
        `settings.quitMs (${dir}/project/sluice.config.yaml): unknown setting, ignored`,
        'settings.agentAttempts (SLUICE_AGENT_ATTEMPTS): "many" cannot be used, using 3',
      ]);
    });
  });

  it.each([
    ['an unknown field', 'agent: {}\n', '1:1: agent: unknown field'],
    ['a field of the wrong kind', 'agents:\n  mine:\n    argv: x\n', '3:11: agents.mine.argv: expected a list, found `x`'],
    ['the same key twice', 'me: a\nme: b\n', '2:1: me: `me` is written twice, first in line 1'],
    ['broken YAML', 'me: [\n', ':'],
  ])('is refused with %s, at its place', async (_, project, problem) => {
    await load({ project }, {}, (loaded, dir) => {
      expect(loaded).toMatchObject({
        ok: false,
        refusal: { code: 'config', message: expect.stringContaining(`${dir}/project/sluice.config.yaml:${problem.replace(/^:/, '')}`) },
      });
    });
  });

  it('has the problems of both files told at once', async () => {
    await load({ user: 'x: 1\n', project: 'y: 1\n' }, {}, (loaded) => {
      expect(loaded.ok ? '' : loaded.refusal.message.split('\n')).toHaveLength(2);
    });
  });

  it('may be a file of comments', async () => {
    await load({ project: '# nothing yet\n\n' }, {}, (loaded) => expect(valueOf(loaded).config).toEqual({}));
  });
});

// Which project a plan belongs to: the nearest config, else the git checkout, else its folder; and the project's id.

import { mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { openProject } from '../../client/project.js';
import { inFolder } from './plan-temp.js';

const opened = async (at: string, env = {}) => {
  const project = await openProject(at, env);
  if (!project.ok) throw new Error(project.refusal.message);
  return project.value;
};

describe('the folder of a project', () => {
  it('is the nearest parent of the plan with a config, whatever git says', async () => {
    await inFolder({ 'sluice.config.yaml': '', 'sub/.git/config': '', 'sub/deep/plan.yaml': '' }, async (dir) => {
      expect((await opened(join(dir, 'sub/deep/plan.yaml'))).dir).toBe(await realpath(dir));
    });
  });

  it('is else the top of the git checkout', async () => {
    await inFolder({ '.git/config': '', 'sub/deep/plan.yaml': '' }, async (dir) => {
      expect((await opened(join(dir, 'sub/deep/plan.yaml'))).dir).toBe(await realpath(dir));
      expect((await opened(join(dir, 'sub'))).dir).toBe(await realpath(dir));
    });
  });

  it('is else the folder of the plan, links resolved', async () => {
    await inFolder({ 'real/plan.yaml': '' }, async (dir) => {
      await symlink('real', join(dir, 'link'));
      const real = await realpath(join(dir, 'real'));
      expect(await opened(join(dir, 'link/plan.yaml'))).toEqual({ dir: real, id: real });
    });
  });

  it('is refused for what does not exist', async () => {
    await inFolder({}, async (dir) => {
      expect(await openProject(join(dir, 'none/plan.yaml'), {})).toMatchObject({ ok: false, refusal: { code: 'not-found' } });
    });
  });
});

describe('the id of a project', () => {
  const remote = (url: string) =>
    `[core]\n\tbare = false\n[remote "up"]\n\turl = wrong\n[remote "origin"]\n\tfetch = +refs/*\n\turl = ${url}\n[branch "main"]\n\turl = wrong\n`;

  it('is the variable, else the config, else the remote, else the path', async () => {
    await inFolder({ 'sluice.config.yaml': 'project: mine\n', '.git/config': remote('git@example.org:a/b.git') }, async (dir) => {
      expect((await opened(dir, { SLUICE_PROJECT: 'given' })).id).toBe('given');
      expect((await opened(dir)).id).toBe('mine');
      await rm(join(dir, 'sluice.config.yaml'));
      expect((await opened(dir)).id).toBe('git@example.org:a/b.git');
      await rm(join(dir, '.git/config'));
      expect((await opened(dir)).id).toBe(await realpath(dir));
    });
  });

  it.each([
    ['https://user:token@example.org/a/b.git', 'https://example.org/a/b.git'],
    ['https://token@example.org/a/b.git', 'https://example.org/a/b.git'],
    ['ssh://git@example.org/a/b.git', 'ssh://git@example.org/a/b.git'],
    ['"/srv/a b.git"', '/srv/a b.git'],
  ])('of the remote %s is %s: no secret of a URL becomes part of it', async (url, id) => {
    await inFolder({ '.git/config': remote(url) }, async (dir) => {
      expect((await opened(dir)).id).toBe(id);
    });
  });

  it('is the same in a worktree that git made', async () => {
    await inFolder({ 'main/file': 'x' }, async (dir) => {
      const [main, tree] = [join(dir, 'main'), join(dir, 'tree')];
      const git = (...args: string[]) => execa('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: main });
      await git('init', '-q');
      await git('remote', 'add', 'origin', 'https://example.org/w.git');
      await git('add', '.');
      await git('commit', '-qm', 'one');
      await git('worktree', 'add', '-q', tree);
      await mkdir(join(tree, 'sub'));
      expect(await opened(join(tree, 'sub'))).toEqual({ dir: await realpath(tree), id: 'https://example.org/w.git' });
    });
  });
});

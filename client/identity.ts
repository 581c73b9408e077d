// Who is asking: config `me`, else git's user.email, else the user of the operating system (plan.md, `who`).

import { userInfo } from 'node:os';
import { execa } from 'execa';
import type { Config } from '../model/config.js';

/** git answers from its files; if it does not, the name is not worth a wait. */
const GIT_MS = 2_000;

/** The name that commands are sent under. */
export async function whoAmI(config: Pick<Config, 'me'>, dir: string): Promise<string> {
  if (config.me !== undefined && config.me !== '') return config.me;
  const asked = await execa('git', ['config', 'user.email'], { cwd: dir, reject: false, timeout: GIT_MS });
  const email = asked.exitCode === 0 ? asked.stdout.trim() : '';
  return email === '' ? userInfo().username : email;
}

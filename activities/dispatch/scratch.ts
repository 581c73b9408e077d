// Private files of one attempt: the prompt, the schema, the values of `${{ }}`. Readable by this user alone, gone at its end.
// Synchronous, and in one folder for all attempts: every program has such a file, and trips through the thread pool and a folder of its
// own cost more than the file itself (measured: 2 ms of a program's node, most of it for removing the folder).

import { mkdirSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../failures.js';

let count = 0;

export class Scratch {
  readonly #folder: () => string;
  readonly #files: string[] = [];

  /** @param folder see `openScratch`; asked for with the first file */
  constructor(folder: () => string) {
    this.#folder = folder;
  }

  /**
   * @returns the path of a file that holds `text`
   * @throws the system's error, of a full disk for instance
   */
  file(name: string, text: string): string {
    const path = join(this.#folder(), `${process.pid}-${++count}-${name}`);
    this.#files.push(path);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** @returns what could not be removed, and why */
  remove(): string[] {
    return this.#files.map(removed).filter((failure) => failure !== undefined);
  }
}

/** Makes the folder, and takes away what killed workers left in it. @returns the same folder */
export function openScratch(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const pid = Number.parseInt(name, 10);
    if (!isAlive(pid)) removed(join(folder, name));
  }
  return folder;
}

function isAlive(pid: number): boolean {
  try {
    return Number.isNaN(pid) || process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function removed(path: string): string | undefined {
  try {
    unlinkSync(path);
    return undefined;
  } catch (error) {
    // the agent may have taken its own prompt away; anything else is told
    return codeOf(error) === 'ENOENT' ? undefined : `${path} (${codeOf(error) ?? String(error)})`;
  }
}

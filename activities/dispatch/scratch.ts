// Private files of one attempt: the prompt, the schema, the values of `${{ }}`. Readable by this user alone, gone at its end.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Scratch {
  #folder: Promise<string> | undefined;

  /** @returns the path of a file that holds `text`; the folder is made with the first one */
  async file(name: string, text: string): Promise<string> {
    // mkdtemp makes it with mode 700
    this.#folder ??= mkdtemp(join(tmpdir(), 'sluice-'));
    const path = join(await this.#folder, name);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  }

  async remove(): Promise<void> {
    if (this.#folder === undefined) return;
    // a folder that could not be made needs no removing; the failure was told by `file`
    const folder = await this.#folder.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

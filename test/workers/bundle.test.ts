// The bundle as a file: made of any entry, whole or not at all. What is in it is tested by running it.

import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeBundle } from '../../workers/bundle.js';

let dir: string;
beforeEach(async () => {
  // below the project, so that the entry finds its packages
  dir = await mkdtemp(join(process.cwd(), 'node_modules', '.bundle-test-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe('the workflow bundle', () => {
  it('is written for an entry file', async () => {
    const entry = join(dir, 'entry.js');
    const nap = 'export async function nap(ms) { await sleep(ms); }';
    await writeFile(entry, `import { sleep } from '@temporalio/workflow';\n${nap}\n`);
    await writeBundle(join(dir, 'out.js'), entry);
    expect(await readFile(join(dir, 'out.js'), 'utf8')).toContain('nap');
    expect((await readdir(dir)).sort()).toEqual(['entry.js', 'out.js']);
  });

  it('is refused, and nothing is written, when a workflow reaches for the disk', async () => {
    const entry = join(dir, 'entry.js');
    await writeFile(
      entry,
      "import { readFileSync } from 'node:fs';\nexport async function leak() { return readFileSync('/etc/hosts', 'utf8'); }\n",
    );
    await expect(writeBundle(join(dir, 'out.js'), entry)).rejects.toThrow();
    expect(await readdir(dir)).toEqual(['entry.js']);
  });
});

// The workflow bundle is the proof that workflows and model stay in the sandbox: what does not belong there cannot be bundled.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { ROOT } from './tree.js';

// webpack on two busy cores; alone it takes 2 to 5 s
const PATIENCE_MS = 240_000;

interface Bundled {
  code: string | undefined;
  /** what webpack said was wrong */
  said: string;
}

async function bundle(workflowsPath: string): Promise<Bundled> {
  const said: string[] = [];
  const logger = new DefaultLogger('ERROR', ({ message }) => said.push(message));
  try {
    const { code } = await bundleWorkflowCode({ workflowsPath, logger });
    return { code, said: said.join('\n') };
  } catch (error) {
    return { code: undefined, said: [...said, String(error)].join('\n') };
  }
}

describe('the workflow bundle', () => {
  let dir: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sluice-bundle-'));
    await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  /** Bundles a workflow file with this text, in a folder of its own. */
  async function bundleText(name: string, text: string): Promise<Bundled> {
    const folder = join(dir, name.replaceAll(' ', '-'));
    await mkdir(folder);
    await writeFile(join(folder, 'index.ts'), text);
    return bundle(join(folder, 'index.ts'));
  }

  it(
    'is made of workflows/index.ts and what it reaches',
    async () => {
      const { code, said } = await bundle(join(ROOT, 'workflows/index.ts'));
      expect(said).toBe('');
      expect(code).toContain('async function run(');
    },
    PATIENCE_MS,
  );

  it(
    'can hold a file that keeps to the sandbox',
    async () => {
      const { code, said } = await bundleText('fine', "import { sleep } from '@temporalio/workflow';\nexport const w = () => sleep(1);\n");
      expect(said).toBe('');
      expect(code).toBeDefined();
    },
    PATIENCE_MS,
  );

  it.each([
    ['files', "import { readFileSync } from 'node:fs';\nexport const w = () => readFileSync('a');\n", 'node:fs'],
    ['processes', "import { execa } from 'execa';\nexport const w = () => execa('a');\n", 'node:child_process'],
    ['activities as code', `export { createActivities } from '${ROOT}/activities/index.js';\n`, 'node:fs'],
  ])(
    'cannot hold %s',
    async (name, text, builtin) => {
      const { code, said } = await bundleText(name, text);
      expect(code).toBeUndefined();
      expect(said).toContain(`Reading from "${builtin}" is not handled`);
    },
    PATIENCE_MS,
  );
});

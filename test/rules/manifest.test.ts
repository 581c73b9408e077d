// package.json and its lock file: exact versions, one Temporal, and no address of a machine's registry.

import { describe, expect, it } from '@jest/globals';
import { read } from './tree.js';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  scripts: Record<string, string>;
}
interface Lock {
  packages: Record<string, { version?: string; resolved?: string }>;
}

const manifest = JSON.parse(await read('package.json')) as Manifest;
const lockText = await read('package-lock.json');
const lock = JSON.parse(lockText) as Lock;
const direct = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });

describe('package.json', () => {
  it('names every dependency by one exact version', () => {
    expect(direct.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('names no package twice', () => {
    const both = Object.keys(manifest.dependencies).filter((name) => name in manifest.devDependencies);
    expect(both).toEqual([]);
  });

  it('runs every script that another script, the README or CI calls', async () => {
    const callers = [...Object.values(manifest.scripts), await read('README.md'), await read('.ci/run'), await read('CONTRIBUTING.md')];
    const called = callers.flatMap((text) => [...text.matchAll(/npm run ([a-z][a-z:]*)/g)].map((match) => match[1] ?? ''));
    expect(called.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });
});

describe('package-lock.json', () => {
  it('holds the versions that package.json names', () => {
    const differing = direct.filter(([name, version]) => lock.packages[`node_modules/${name}`]?.version !== version);
    expect(differing).toEqual([]);
  });

  it('has every Temporal package once, all of one version', () => {
    const temporal = Object.entries(lock.packages).filter(([path]) => /node_modules\/@temporalio\/[^/]+$/.test(`/${path}`));
    const own = direct.filter(([name]) => name.startsWith('@temporalio/')).map(([, version]) => version);
    expect(own.length).toBeGreaterThan(0);
    expect(new Set([...temporal.map(([, { version }]) => version), ...own]).size).toBe(1);
    expect(temporal.filter(([path]) => path.lastIndexOf('node_modules/') > 0)).toEqual([]);
  });

  it('has no download addresses, so that it installs from whatever registry npm is set to', () => {
    expect(Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(lockText).not.toMatch(/"resolved": *"http/);
  });
});

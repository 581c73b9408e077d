// Projects: `unit` needs no server; `server` shares one dev server and one workflow bundle (test/support/global-setup.mjs);
// `agents` drives the real agent CLIs on a scripted model; `timeskip` lets days pass on a server whose time can be moved;
// `chaos` brings servers and workers of its own, to be killed.
import { availableParallelism } from 'node:os';

const base = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } } },
        module: { type: 'es6' },
      },
    ],
  },
};

const server = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  projects: [
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/test/{model,activities,temporal-dev,workers,client,rules}/**/*.test.ts'] },
    { ...base, ...server, displayName: 'server', testMatch: ['<rootDir>/test/{workflows,cli,cases,replay}/**/*.test.ts'] },
    { ...base, ...server, displayName: 'agents', testMatch: ['<rootDir>/test/agents/**/*.test.ts'] },
    {
      ...base,
      displayName: 'timeskip',
      globalSetup: '<rootDir>/test/support/global-time-setup.mjs',
      testMatch: ['<rootDir>/test/timeskip/**/*.test.ts'],
    },
    { ...base, displayName: 'chaos', testMatch: ['<rootDir>/test/chaos/**/*.test.ts'] },
  ],
  testTimeout: 60_000,
  // tests wait more than they compute: two files at a time on two cores took half as long as jest's own choice, one less than there are
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // of `it.concurrent`: each chaos seed is a server, a worker and their programs
  maxConcurrency: 2,
};

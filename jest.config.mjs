// Two projects: `unit` needs no server; `server` shares one dev server and one workflow bundle (test/support/global-setup.mjs).
const base = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.tsx?$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } } }, module: { type: 'es6' } }],
  },
};

export default {
  projects: [
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/test/{model,activities,temporal-dev,workers,client,rules}/**/*.test.ts'] },
    {
      ...base,
      displayName: 'server',
      testMatch: ['<rootDir>/test/{workflows,cli,cases,replay}/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.mjs',
      globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
    },
  ],
  testTimeout: 60_000,
};

// What the linter holds the code to. Who may import whom is not here but in .dependency-cruiser.cjs;
// what no linter sees (headers, names, addresses) is in test/rules/form.test.ts.

import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { importOrder } from './scripts/lint/import-order.mjs';

const SOURCES = ['model', 'workflows', 'activities', 'workers', 'client', 'cli', 'temporal-dev'].map((folder) => `${folder}/**/*.{ts,tsx}`);

// Absent from the Temporal sandbox (docs/architecture.md), so absent from whatever a workflow reaches.
const NOT_IN_SANDBOX = [
  'process',
  'Buffer',
  'structuredClone',
  'crypto',
  'fetch',
  'performance',
  'AbortController',
  'AbortSignal',
  'queueMicrotask',
  'setInterval',
  'setImmediate',
];
// There, but different on every host or at every moment: the model takes time, ids and draws as arguments.
const NOT_PURE = ['setTimeout', 'clearTimeout', 'Intl', 'console', 'global', 'globalThis'];

const NO_DEFAULT_EXPORT = [
  { selector: 'ExportDefaultDeclaration', message: 'No default exports: a thing has one name everywhere.' },
  { selector: "ExportSpecifier[exported.name='default']", message: 'No default exports: a thing has one name everywhere.' },
];
const IMPURE_CALLS = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'The model has no clock: take the time as an argument.' },
  { selector: "CallExpression[callee.name='Date']", message: 'The model has no clock: take the time as an argument.' },
  {
    selector: 'CallExpression[callee.property.name=/^(localeCompare|toLocale.*)$/]',
    message: 'Depends on the host: compare and write strings by code unit.',
  },
];
const IMPURE_PROPERTIES = [
  { object: 'Date', property: 'now', message: 'The model has no clock: take the time as an argument.' },
  { object: 'Math', property: 'random', message: 'The model draws nothing: take the draw as an argument.' },
];
const EXIT = { object: 'process', property: 'exit', message: 'One place exits: cli/main.ts (and the entry files of worker and guard).' };

/** `no-restricted-globals` for names that must not be used, with one reason. */
const banned = (names, message) => ['error', ...names.map((name) => ({ name, message }))];

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', '**/.sluice/', 'test/fixtures/', 'web/page/dist/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    plugins: { sluice: { rules: { 'import-order': importOrder } } },
    rules: {
      'sluice/import-order': 'error',
      'no-restricted-syntax': ['error', ...NO_DEFAULT_EXPORT],
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', 60],
      'max-len': ['error', { code: 140, ignoreUrls: true }],
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'prefer-const': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { prefer: 'type-imports', fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // An async function without an await still turns a throw into a rejection, which is what an interface of promises asks for.
      '@typescript-eslint/require-await': 'off',
      // Interfaces here are records of functions (activities/process/process.ts), and what implements them is a closure, not a class.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  { files: SOURCES, rules: { 'no-restricted-properties': ['error', EXIT] } },
  {
    files: ['model/**/*.ts'],
    rules: {
      'no-restricted-globals': banned([...NOT_IN_SANDBOX, ...NOT_PURE], 'The model is pure (docs/architecture.md).'),
      'no-restricted-properties': ['error', EXIT, ...IMPURE_PROPERTIES],
      'no-restricted-syntax': ['error', ...NO_DEFAULT_EXPORT, ...IMPURE_CALLS],
      'no-restricted-imports': ['error', { patterns: [{ regex: '^(?!\\.|zod$)', message: 'The model imports itself and zod.' }] }],
    },
  },
  {
    files: ['workflows/**/*.ts'],
    rules: {
      'no-restricted-globals': banned(NOT_IN_SANDBOX, 'Not there in the workflow sandbox.'),
      'no-restricted-imports': ['error', { patterns: [{ regex: '^node:', message: 'No node built-ins in what a workflow reaches.' }] }],
    },
  },
  // The entry files of processes: each is the one place where its process ends.
  { files: ['cli/main.ts', 'workers/main.ts', 'activities/process/guard.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['test/**', 'bench/**'],
    rules: {
      // `describe` is a function to the linter; what counts in a test is the length of each `it`, and those are read.
      'max-lines-per-function': 'off',
      // A plan, a script or a stream in a test is one string, as it would be on disk.
      'max-len': ['error', { code: 140, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true }],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'Buffer',
          'URL',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'performance',
          'fetch',
          'AbortController',
          'AbortSignal',
          'TextDecoder',
          'TextEncoder',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { module: 'writable', require: 'readonly', __dirname: 'readonly' } },
  },
  // Read by tools that ask for a default export, or plans of the user, which are read by theirs.
  { files: ['*.config.mjs', 'test/support/global-*.mjs', 'examples/**'], rules: { 'no-restricted-syntax': 'off' } },
);

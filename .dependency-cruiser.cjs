// Who may import whom: the table of docs/architecture.md as rules. One rule a row of the table, allow-lists rather than ban-lists,
// so that a new folder or package is refused until the table names it. test/rules/imports.test.ts proves that each rule bites.

/** Folders of the project, as patterns of paths from its root. */
const MODEL = '^model/';
const CODEC = '^workers/codec/';

/** Pattern of a package in node_modules, by name; a name that ends in `/` is a whole scope. */
const npm = (name) => `(^|/)node_modules/${name}${name.endsWith('/') ? '' : '/'}`;
const TEMPORAL = '@temporalio/';
const temporal = (...names) => names.map((name) => npm(`@temporalio/${name}`));

/** Any package but Temporal's: those are named one by one. */
const LIBRARIES = `(^|/)node_modules/(?!${TEMPORAL})`;

/**
 * One row of the table as rules: `from` may import `code`, and `types` as types only; node built-ins unless told otherwise.
 * What does not resolve is left to its own rule, so that a misspelt path is reported once.
 */
function row(name, from, { code, types = [], builtins = true }) {
  const core = builtins ? ['core'] : [];
  return [
    {
      name: `${name}-imports`,
      comment: `${name} may import only what its row of the table in docs/architecture.md names.`,
      severity: 'error',
      from,
      to: { pathNot: [...code, ...types], dependencyTypesNot: core, couldNotResolve: false },
    },
    ...(types.length === 0
      ? []
      : [
          {
            name: `${name}-types-only`,
            comment: `${name} may name these for their types, never load them.`,
            severity: 'error',
            from,
            to: { path: types, pathNot: code, dependencyTypesNot: ['type-only'] },
          },
        ]),
  ];
}

// The pair of a dev server and workers is the one place where the two meet.
const PAIR = '^workers/pair(/|\\.ts$)';
const WORKERS_ROW = ['^workers/', '^activities/', MODEL, LIBRARIES, ...temporal('worker', 'common', 'client', 'activity', 'envconfig')];
const CLI_DOORS = '^cli/commands/(worker|dev|run|down)\\.tsx?$';
const CLI_ROW = ['^(cli|web)/', '^client/', MODEL, LIBRARIES];

module.exports = {
  forbidden: [
    ...row('model', { path: MODEL }, { code: [MODEL, npm('zod')], builtins: false }),
    ...row(
      'workflows',
      { path: '^workflows/' },
      {
        code: ['^workflows/', MODEL, ...temporal('workflow')],
        types: ['^activities/contract\\.ts$', ...temporal('common')],
        builtins: false,
      },
    ),
    ...row(
      'activities',
      { path: '^activities/' },
      { code: ['^activities/', MODEL, LIBRARIES, ...temporal('activity', 'client', 'common')] },
    ),
    ...row('workers', { path: '^workers/', pathNot: PAIR }, { code: WORKERS_ROW }),
    ...row('workers-pair', { path: PAIR }, { code: [...WORKERS_ROW, '^temporal-dev/'] }),
    ...row(
      'client',
      { path: '^client/' },
      {
        code: ['^client/', MODEL, CODEC, LIBRARIES, ...temporal('client', 'common', 'envconfig')],
        types: ['^workflows/index\\.ts$'],
      },
    ),
    ...row('cli', { path: '^(cli|web)/', pathNot: CLI_DOORS }, { code: CLI_ROW }),
    ...row('cli-doors', { path: CLI_DOORS }, { code: [...CLI_ROW, '^workers/', '^temporal-dev/'] }),
    ...row('temporal-dev', { path: '^temporal-dev/' }, { code: ['^temporal-dev/', LIBRARIES, ...temporal('client')] }),
    {
      name: 'codec-stands-alone',
      comment: 'The codec is the one part of workers that the client loads: it must not bring a worker with it.',
      severity: 'error',
      from: { path: CODEC },
      to: { path: ['^workers/', '^activities/', npm('@temporalio/worker')], pathNot: CODEC },
    },
    {
      name: 'sources-never-import-tests',
      comment: 'What ships must run without tests, benches, examples and scripts.',
      severity: 'error',
      from: { pathNot: '^(test|bench|examples|scripts)/|^[^/]+$' },
      to: { path: '^(test|bench|examples|scripts)/' },
    },
    {
      name: 'no-circular',
      comment: 'A cycle means that two files are one concept, or that a third is missing. Types count: they are read together too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that is no entry is dead.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['^test/', '^bench/', '^examples/', '^scripts/', '(^|/)[^/]+\\.config\\.mjs$', '\\.d\\.ts$', '^\\.[^/]+\\.cjs$'],
      },
      to: {},
    },
    {
      name: 'not-unresolvable',
      comment: 'An import must lead somewhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-unlisted-package',
      comment: 'A package must be in package.json: what another package happens to bring may go with its next release.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-dependency-in-sources',
      comment: 'What ships must run after an install without devDependencies.',
      severity: 'error',
      from: { path: '^(model|workflows|activities|workers|client|cli|web|temporal-dev)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: npm('@types') },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: ['^dist/', '^coverage/', '(^|/)\\.sluice/', '^test/fixtures/'] },
    // `import type` leaves no trace in the output: it must be seen before compilation, and told apart.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
    skipAnalysisNotInRules: true,
  },
};

// Adds up how the steps of .ci/run ended and prints the closing line `N passed, N failed[, N skipped]`; exits 1 if anything failed.
// Knows jest's JSON report and nothing of what was tested.
// Usage: node scripts/tally.mjs STEPS, an NDJSON file of {name, code, report}; report is a path, or "-" for a step without tests.

import { readFileSync } from 'node:fs';

/** The report's counts, or one sentence that says why there are none. */
function readReport(path) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return { reason: `no report (${error.code ?? error.message})` };
  }
  return {
    passed: report.numPassedTests,
    // A file that could not even be loaded holds tests that were not counted: it is a failure of its own.
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
    names: failedNames(report),
  };
}

function failedNames(report) {
  return report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
    return failed.length === 0 && file.status === 'failed' ? [`${file.name}: could not be run`] : failed;
  });
}

/** One step as counts and lines for the reader. A bad exit is one failure, unless the report has already counted why. */
function tallyStep({ name, code, report }) {
  const bad = (reason) => ({ passed: 0, failed: 1, skipped: 0, lines: [`failed: ${name}: ${reason}`] });
  if (report === '-') return code === 0 ? { passed: 0, failed: 0, skipped: 0, lines: [] } : bad(`exit ${code}`);
  const counts = readReport(report);
  if (counts.reason !== undefined) return bad(`${counts.reason}, exit ${code}`);
  const lines = counts.names.map((test) => `failed: ${name}: ${test}`);
  if (counts.passed + counts.failed === 0) return { ...bad('ran no test'), skipped: counts.skipped };
  if (code === 0 || counts.failed > 0) return { ...counts, lines };
  return { ...counts, failed: 1, lines: [`failed: ${name}: every test passed, but exit ${code}`] };
}

const steps = readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => tallyStep(JSON.parse(line)));
const sum = (key) => steps.reduce((total, step) => total + step[key], 0);
for (const line of steps.flatMap((step) => step.lines)) console.log(line);
const skipped = sum('skipped') === 0 ? '' : `, ${sum('skipped')} skipped`;
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

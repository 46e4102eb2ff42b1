// Sums the suites' JSON reports into the one closing line of CI; a step that failed without a report counts as one failure.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, ...failedSteps] = process.argv.slice(2);
const totals = { passed: 0, failed: 0, skipped: 0 };
const reported = new Set();
for (const name of existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : []) {
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests;
  totals.skipped += report.numPendingTests + report.numTodoTests;
  if (report.numFailedTests > 0) reported.add(name.replace('.json', ''));
}
for (const step of failedSteps.filter((name) => !reported.has(name))) {
  console.log(`failed step: ${step}`);
  totals.failed += 1;
}
if (totals.passed === 0) totals.failed += 1;
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed === 0 ? 0 : 1);

// Last step of CI: prints failed tests, and a line of totals. A failed step without a failed test counts as one
// failure.
import { countsOf, failuresOf, linesOf, readReports, strayErrors } from './suite-reports.mjs';

/** Maximum number of printed lines about failures. */
const MOST_LINES = 40;
const MOST_LINES_EACH = 6;

const [folder, ...failedSteps] = process.argv.slice(2);
const reports = readReports(folder);

const totals = { passed: 0, failed: 0, skipped: 0 };
for (const report of reports.values())
  for (const [state, count] of Object.entries(countsOf(report))) totals[state] += count;
const failures = [...reports].flatMap(([suite, report]) =>
  failuresOf(report).map(({ name, lines }) => ({ head: `failed: ${suite}: ${name}`, lines })),
);
for (const step of failedSteps) {
  if ((reports.get(step)?.testResults ?? []).length > 0 && countsOf(reports.get(step)).failed > 0) continue;
  totals.failed += 1;
  failures.push({ head: `failed step: ${step}`, lines: [] });
}
for (const suite of reports.keys())
  for (const error of strayErrors(folder, suite) ?? [])
    failures.push({ head: `failed: ${suite}: an error outside of every test`, lines: linesOf(error) });
if (totals.passed === 0 && totals.failed === 0) totals.failed = 1;

for (const line of shortened(failures)) console.log(line);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed === 0 ? 0 : 1);

function shortened(failures) {
  const each = Math.max(1, Math.min(MOST_LINES_EACH, Math.floor(MOST_LINES / failures.length)));
  const lines = failures.flatMap(({ head, lines }) =>
    [head, ...lines.map((line) => `    ${line.trimStart()}`)].slice(0, each),
  );
  if (lines.length <= MOST_LINES) return lines;
  return [
    ...lines.slice(0, MOST_LINES - 1),
    `and ${lines.length - MOST_LINES + 1} more; see the output of the steps above`,
  ];
}

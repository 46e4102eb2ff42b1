// Last step of CI: prints the failed tests with the first lines of each error, and one line of totals. A failed step of
// CI counts as one failure if its report has no failed test.
import { countsOf, failuresOf, linesOf, readReports, strayErrors } from './suite-reports.mjs';

/** Maximum number of printed lines that describe failures. */
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

/** Returns at most `MOST_LINES_EACH` lines of each failure, and fewer if there are many failures. */
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

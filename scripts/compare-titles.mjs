// `node scripts/compare-titles.mjs BEFORE.json AFTER.json...`: fails if a test case ran in BEFORE, but ran in no
// AFTER. The files are JSON reports of vitest.
import { readFileSync } from 'node:fs';

/**
 * The title without host and counts: `http over express` becomes `http over a host`, `of 1,000 runs` becomes `of runs`.
 */
const caseOf = (title) =>
  title
    .replace(/^http over \w+ /, 'http over a host ')
    .replace(/\b(\d[\d,_.]*|its|each|many)(?= (runs?|times|mutations|filters))/g, '')
    .replace(/\d[\d,_.]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();

function casesOf(path) {
  const { testResults } = JSON.parse(readFileSync(path, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      file: name.replace(/^.*\/(?=(packages|examples|e2e|scripts|bench)\/)/, ''),
      fullName,
      status,
    })),
  );
}

const [before, ...after] = process.argv.slice(2);
if (before === undefined || after.length === 0) {
  console.error('usage: compare-titles.mjs BEFORE.json AFTER.json...');
  process.exit(2);
}
const ran = ({ status }) => status === 'passed' || status === 'failed';
const now = new Set(
  after.flatMap((path) =>
    casesOf(path)
      .filter(ran)
      .map(({ fullName }) => caseOf(fullName)),
  ),
);
const cases = casesOf(before).filter(ran);
const gone = cases.filter(({ fullName }) => !now.has(caseOf(fullName)));
for (const { file, fullName } of gone) console.log(`no longer runs: ${file}: ${fullName}`);
console.log(`${cases.length} cases ran before, ${gone.length} of them no longer run in any suite`);
process.exit(gone.length === 0 ? 0 : 1);

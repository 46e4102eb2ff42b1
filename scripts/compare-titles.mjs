// node scripts/compare-titles.mjs BEFORE.json AFTER.json...: fails if a test case of before runs in no suite of after. Reports of vitest's
// `--reporter=json`: one of before, and of after as many as there are suites. Numbers in titles do not count: they may be counts of repetitions.
import { readFileSync } from 'node:fs';

/**
 * A case by its title alone, wherever its file and its host are now: `http over express` is `http over a host`, and `of 1,000 runs` is
 * `of its runs`.
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
  console.error('name a report of before and one or more of after');
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
for (const { file, fullName } of gone) console.log(`runs no more: ${file}: ${fullName}`);
console.log(`${cases.length} cases ran before, ${gone.length} of them run in no suite now`);
process.exit(gone.length === 0 ? 0 : 1);

// What the suites of CI wrote of themselves: vitest's JSON, and the errors that belong to none of their tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The suites that reported, by name. */
export const readReports = (folder) =>
  new Map(
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((file) => file.endsWith('.json'))
      .map((file) => [file.replace(/\.json$/, ''), JSON.parse(readFileSync(join(folder, file), 'utf8'))]),
  );

/** Errors outside of every test of a suite; undefined where the suite did not live to tell. */
export function strayErrors(folder, suite) {
  const path = join(folder, `${suite}.stray`);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

export function countsOf({ testResults }) {
  const states = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const passed = states.filter((status) => status === 'passed').length;
  const failed = states.filter((status) => status === 'failed').length;
  return { passed, failed, skipped: states.length - passed - failed };
}

/** The failed tests, and the files that failed outside of their tests: each with the lines of its error. */
export const failuresOf = ({ testResults }) =>
  testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(process.cwd(), name);
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      if (tests.length === 0) return [{ name: file, lines: linesOf(message) }];
      return tests.map(({ ancestorTitles, title, failureMessages }) => ({
        name: [file, ...ancestorTitles, title].filter((part) => part !== '').join(' > '),
        lines: linesOf(failureMessages.join('\n')),
      }));
    });

/** What was wrong, and where in this repository. */
export const linesOf = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && (!/^\s+at /.test(line) || isOurs(line)));

const isOurs = (line) => line.includes(process.cwd()) && !line.includes('node_modules');

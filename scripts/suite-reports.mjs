// Reports of the suites in CI: JSON of vitest, and errors outside of tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Reads the JSON reports of the suites, by name. */
export const readReports = (folder) =>
  new Map(
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((file) => file.endsWith('.json'))
      .map((file) => [file.replace(/\.json$/, ''), JSON.parse(readFileSync(join(folder, file), 'utf8'))]),
  );

/** Errors outside of tests; undefined if the suite ended too early. */
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

/** Failed tests, and files that failed outside of tests, each with the lines of the error. */
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

/** Lines of an error: the message, and the stack in this repository. */
export const linesOf = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && (!/^\s+at /.test(line) || isOurs(line)));

const isOurs = (line) => line.includes(process.cwd()) && !line.includes('node_modules');

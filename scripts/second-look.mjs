// A second look at the stage `test`, whose files run beside each other: up to two of them that failed are run once more, alone.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failedFiles, failuresOf, readReports, strayErrors } from './suite-reports.mjs';

const STAGE = 'test';
const MOST_FILES = 2;
const SCRIPTS = import.meta.dirname;
const VITEST = resolve(SCRIPTS, '..', 'node_modules', 'vitest', 'vitest.mjs');

/**
 * Runs again what failed in the stage, where that is little and nothing else was wrong there. Gives the reports as they count, the steps
 * that are still failed, and what failed beside others and passed alone.
 */
export function secondLook(folder, failedSteps) {
  const reports = readReports(folder);
  const first = reports.get(STAGE);
  const asIs = { reports, failedSteps, unsteady: [] };
  if (first === undefined || !failedSteps.includes(STAGE) || strayErrors(folder, STAGE)?.length !== 0) return asIs;
  const files = failedFiles(first);
  if (files.length === 0 || files.length > MOST_FILES) return asIs;
  const again = join(folder, 'again');
  const hasPassed = runAlone(again, files);
  const second = readReports(again).get(STAGE);
  if (second === undefined) return asIs;
  reports.set(STAGE, {
    testResults: [...first.testResults.filter(({ name }) => !files.includes(name)), ...second.testResults],
  });
  const failsAgain = new Set(failuresOf(second).map(({ name }) => name));
  return {
    reports,
    failedSteps: hasPassed ? failedSteps.filter((step) => step !== STAGE) : failedSteps,
    unsteady: failuresOf(first).filter(({ name }) => !failsAgain.has(name)),
  };
}

/** Whether the files pass when nothing runs beside them. */
function runAlone(folder, files) {
  mkdirSync(folder, { recursive: true });
  console.log(`\n===== a second look at ${files.length} failed test file(s), alone`);
  const reporters = ['--reporter=default', '--reporter=json', `--reporter=${join(SCRIPTS, 'stray-errors.mjs')}`];
  const report = `--outputFile.json=${join(folder, `${STAGE}.json`)}`;
  const { status } = spawnSync(process.execPath, [VITEST, 'run', '--maxWorkers=1', ...reporters, report, ...files], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, STRAY_ERRORS: join(folder, `${STAGE}.stray`) },
  });
  return status === 0;
}

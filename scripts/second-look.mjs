// A second look at the stage `test`, whose files run beside each other: up to two of them that failed are run once more, alone, and so are
// those whose process crashed.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failedFiles, failuresOf, readReports, strayErrors } from './suite-reports.mjs';

const STAGE = 'test';
const MOST_FILES = 2;
/**
 * Threads from TypeScript made V8 crash now and then: three files of 428 in the worst run, before the cause was found (decision 123).
 * More of them are a fault of ours.
 */
const MOST_CRASHES = 5;
const CRASH = /Worker exited unexpectedly with signal (?:SIGSEGV|SIGTRAP|SIGILL|SIGBUS) .*while running test file (.+)/;
const SCRIPTS = import.meta.dirname;
const VITEST = resolve(SCRIPTS, '..', 'node_modules', 'vitest', 'vitest.mjs');

/**
 * Runs again what failed in the stage, where that is little and nothing else was wrong there. Gives the reports as they count, the steps
 * that are still failed, and what failed beside others and passed alone.
 */
export function secondLook(folder, failedSteps) {
  const reports = readReports(folder);
  const first = reports.get(STAGE);
  const asIs = { reports, failedSteps, unsteady: [], crashes: new Set() };
  const strays = strayErrors(folder, STAGE);
  if (first === undefined || !failedSteps.includes(STAGE) || strays === undefined) return asIs;
  const crashed = strays.map((error) => CRASH.exec(error)?.[1]);
  const files = failedFiles(first);
  if (crashed.includes(undefined) || crashed.some((file) => !files.includes(file))) return asIs;
  if (files.length === 0 || files.length - crashed.length > MOST_FILES || crashed.length > MOST_CRASHES) return asIs;
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
    // Errors outside of tests that are told already, as those of unsteady files.
    crashes: hasPassed ? new Set(strays) : new Set(),
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

// `npm run test:airflow [vitest arguments]`: tests the orchestrator client, the project's own workflow and the
// reference server on a real Airflow 2.10.3. This script installs Airflow into `.airflow` at the first run, and starts
// Airflow. If a required program is missing, the tests are skipped and the reason is printed; under CI=true a missing
// program is a failure.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findAirflow } from './airflow-server.mjs';
import { exitCodeOf, reportMissing } from './missing.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

function skip(reason) {
  const missing = [`Airflow: ${reason}`];
  reportMissing(missing);
  process.exit(exitCodeOf(0, missing));
}

// Suites that need a real Airflow. `npm test` and `npm run test:kills` run the same test cases on the fake
// orchestrator.
const SUITES = ['packages/orchestrator-client/src/conformance/airflow', 'e2e/airflow'];

/**
 * Runs vitest over the suites, one file after the other, because all files use the same Airflow. Resolves to vitest's
 * exit code.
 */
function runSuites({ url, username, password, home, servicePort }) {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const vitestArguments = process.argv.slice(2);
  // Test files named on the command line replace the default suites.
  const suites = vitestArguments.some((each) => each.includes('.test')) ? [] : SUITES;
  const args = [vitest, 'run', '--no-file-parallelism', ...suites, ...vitestArguments];
  const address = url.replace('://', `://${username}:${password}@`);
  const env = {
    ...process.env,
    HEADWATER_TEST_AIRFLOW: address,
    HEADWATER_TEST_AIRFLOW_HOME: home,
    HEADWATER_TEST_AIRFLOW_SERVICE_PORT: String(servicePort),
  };
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((settle) => {
    child.on('exit', (code) => settle(code ?? 1));
  });
}

const { start, missing } = findAirflow();
if (missing !== undefined) skip(missing);
const airflow = await start();
try {
  process.exitCode = await runSuites(airflow);
} finally {
  await airflow.stop();
}

// `npm run test:airflow [vitest arguments]`: tests client, workflow and server on a real Airflow, in `.airflow`. If a
// program is missing, tests are skipped; under CI=true, this is a failure.
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

// Suites that need a real Airflow; other suites use the fake orchestrator.
const SUITES = ['packages/orchestrator-client/src/conformance/airflow', 'e2e/airflow'];

/** Files run one after the other, because all files use one Airflow. */
function runSuites({ url, username, password, home, servicePort }) {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const vitestArguments = process.argv.slice(2);
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

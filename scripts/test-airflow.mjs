// `npm run test:airflow [vitest arguments]`: the conformance suite of the orchestrator's client on a real Airflow 2.10.3, which is
// installed into `.airflow` at the first time and started here for the occasion. A machine without what it needs skips with the reason; under
// CI=true that is a failure.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findAirflow } from './airflow-server.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

function skip(reason) {
  console.log(`skipped: the suite on a real Airflow. ${reason}`);
  if (process.env.CI === 'true') console.error('CI=true: what is missing there is a failure');
  process.exit(process.env.CI === 'true' ? 1 : 0);
}

/** Runs vitest over the suite and resolves to its exit code. */
function runSuite({ url, username, password }) {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', 'packages/orchestrator-client/src/conformance', ...process.argv.slice(2)];
  const address = url.replace('://', `://${username}:${password}@`);
  const env = { ...process.env, HEADWATER_TEST_AIRFLOW: address };
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
  process.exitCode = await runSuite(airflow);
} finally {
  await airflow.stop();
}

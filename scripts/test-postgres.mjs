// `npm run test:postgres [test files] [vitest arguments]`: runs suites on a real PostgreSQL. If it is missing, tests
// are skipped; under CI=true, this is a failure.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodeOf, reportMissing } from './missing.mjs';
import { findPostgres } from './postgres-cluster.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const SUITES = [
  'packages/postgres/src',
  'packages/testkit-internal/src/stores',
  'packages/testkit-internal/src/cql2',
  'packages/map-server/src/features/ecql.pg.test.ts',
  'packages/testkit-internal/src/faults/rows.pg.test.ts',
  'packages/server/src/backup/move-database.test.ts',
  'packages/testkit-internal/src/imports/imports.test.ts',
  'e2e/database-gone.pg.test.ts',
  'e2e/database-tls.pg.test.ts',
  'e2e/front-server.pg.test.ts',
  'e2e/import-killed.pg.test.ts',
  'e2e/init.pg.test.ts',
  'e2e/rolling-restart.pg.test.ts',
  'e2e/slow-search.pg.test.ts',
  'e2e/slow-stop.pg.test.ts',
  'e2e/two-servers.pg.test.ts',
];

function skip(reason) {
  const missing = [`PostgreSQL: ${reason}`];
  reportMissing(missing);
  process.exit(exitCodeOf(0, missing));
}

function runSuites(address) {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const vitestArguments = process.argv.slice(2);
  const suites = vitestArguments.some((each) => each.endsWith('.test.ts')) ? [] : SUITES;
  const args = [vitest, 'run', ...suites, ...vitestArguments];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, HEADWATER_TEST_PG: address },
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => forward(signal));
  return new Promise((settle) => {
    child.on('exit', (code) => settle(code ?? 1));
  });
}

const { make, missing } = findPostgres();
if (missing !== undefined) skip(missing);
const cluster = make();
try {
  process.exitCode = await runSuites(cluster.address);
} finally {
  cluster.remove();
}

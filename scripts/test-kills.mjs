// `npm run test:kills [test files] [vitest arguments]`: tests that take minutes and must not run at the same time as
// other tests. They test killed servers and workers, hostile files, addresses and searches, whole samples, and new
// databases. The files run one after the other, because their tests measure the response time of the health check under
// load. Test files on the command line replace the default suites.
import { spawnSync } from 'node:child_process';
import { SLOW_SUITES } from './slow-suites.mjs';

const vitestArguments = process.argv.slice(2);
const suites = vitestArguments.some((argument) => argument.endsWith('.test.ts')) ? [] : SLOW_SUITES;
const { status } = spawnSync('vitest', ['run', '--maxWorkers=1', ...suites, ...vitestArguments], {
  stdio: 'inherit',
  env: { ...process.env, HEADWATER_SLOW_SUITES: 'on' },
});
process.exit(status ?? 1);

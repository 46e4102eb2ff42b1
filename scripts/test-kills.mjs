// `npm run test:kills [test files] [vitest arguments]`: what takes minutes and a machine to itself: a server that is killed again and again, with
// its workers and without, hostile files and addresses, a sample of a wider tehsil, whole samples and new databases. One file after the other: they ask how soon health answers
// meanwhile. Test files that are named are run instead of all of them.
import { spawnSync } from 'node:child_process';
import { SLOW_SUITES } from './slow-suites.mjs';

const given = process.argv.slice(2);
const suites = given.some((argument) => argument.endsWith('.test.ts')) ? [] : SLOW_SUITES;
const { status } = spawnSync('vitest', ['run', '--maxWorkers=1', ...suites, ...given], {
  stdio: 'inherit',
  env: { ...process.env, HEADWATER_SLOW_SUITES: 'on' },
});
process.exit(status ?? 1);

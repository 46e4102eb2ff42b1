// `npm run test:kills [vitest arguments]`: what takes minutes and a machine to itself: a server that is killed again and again, with
// its workers and without, hostile files and addresses, a sample of a wider tehsil. One file after the other: they ask how soon health answers meanwhile.
import { spawnSync } from 'node:child_process';
import { SLOW_SUITES } from './slow-suites.mjs';

const { status } = spawnSync('vitest', ['run', '--maxWorkers=1', ...SLOW_SUITES, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, HEADWATER_SLOW_SUITES: 'on' },
});
process.exit(status ?? 1);

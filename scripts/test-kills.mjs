// `npm run test:kills [test files] [vitest arguments]`: tests that kill servers and workers, compute whole samples, and
// make new databases. `npm run test:hostile`: tests that send hostile files, addresses, searches and floods of requests;
// they measure times and memory and need an idle machine. The files of both run one after the other. Test files on the
// command line replace the default suites.
import { spawnSync } from 'node:child_process';
import { HOSTILE_SUITES, KILL_SUITES } from './slow-suites.mjs';

const vitestArguments = process.argv.slice(2).filter((argument) => argument !== '--hostile');
const all = process.argv.includes('--hostile') ? HOSTILE_SUITES : KILL_SUITES;
const suites = vitestArguments.some((argument) => argument.endsWith('.test.ts')) ? [] : all;
const { status } = spawnSync('vitest', ['run', '--maxWorkers=1', ...suites, ...vitestArguments], {
  stdio: 'inherit',
  env: { ...process.env, HEADWATER_SLOW_SUITES: 'on' },
});
process.exit(status ?? 1);

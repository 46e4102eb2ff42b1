// `npm run test:kills`, `test:hostile`, `test:chaos` `[test files] [vitest arguments]`: run slow suites, one file after
// the other.
import { spawnSync } from 'node:child_process';
import { CHAOS_SUITES, HOSTILE_SUITES, KILL_SUITES } from './slow-suites.mjs';

const OTHERS = new Map([
  ['--hostile', HOSTILE_SUITES],
  ['--chaos', CHAOS_SUITES],
]);
const vitestArguments = process.argv.slice(2).filter((argument) => !OTHERS.has(argument));
const all = OTHERS.get(process.argv.find((argument) => OTHERS.has(argument))) ?? KILL_SUITES;
const suites = vitestArguments.some((argument) => argument.endsWith('.test.ts')) ? [] : all;
const { status } = spawnSync('vitest', ['run', '--maxWorkers=1', ...suites, ...vitestArguments], {
  stdio: 'inherit',
  env: { ...process.env, HEADWATER_SLOW_SUITES: 'on' },
});
process.exit(status ?? 1);

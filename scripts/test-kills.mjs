// `npm run test:kills [test files] [vitest arguments]`: tests that kill servers and workers, compute whole samples, and
// make new databases. `npm run test:hostile`: tests that send hostile files, addresses, searches and floods of
// requests. The hostile tests measure times and memory, so they need an idle machine. `npm run test:chaos`: tests with
// random kills and other faults; their long form takes minutes. The files of a suite run one after the other. Test
// files on the command line replace the default suites.
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

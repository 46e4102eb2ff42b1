// `npm run test:kills`, `test:hostile`, `test:chaos` `[test files] [folders/] [vitest arguments]`: run slow suites, one
// file after the other. A folder such as `e2e/` selects the files of a suite that are in it.
import { spawnSync } from 'node:child_process';
import { CHAOS_SUITES, HOSTILE_SUITES, KILL_SUITES } from './slow-suites.mjs';

const OTHERS = new Map([
  ['--hostile', HOSTILE_SUITES],
  ['--chaos', CHAOS_SUITES],
]);
const isFolder = (argument) => argument.endsWith('/');
const folders = process.argv.slice(2).filter(isFolder);
const vitestArguments = process.argv.slice(2).filter((argument) => !OTHERS.has(argument) && !isFolder(argument));
const all = OTHERS.get(process.argv.find((argument) => OTHERS.has(argument))) ?? KILL_SUITES;
const suites = vitestArguments.some((argument) => argument.endsWith('.test.ts'))
  ? []
  : all.filter((suite) => folders.length === 0 || folders.some((folder) => suite.startsWith(folder)));
const { status } = spawnSync('vitest', ['run', '--maxWorkers=1', ...suites, ...vitestArguments], {
  stdio: 'inherit',
  env: { ...process.env, HEADWATER_SLOW_SUITES: 'on' },
});
process.exit(status ?? 1);

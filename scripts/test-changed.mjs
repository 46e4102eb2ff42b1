// `npm run test:changed [revision] [vitest arguments]`: runs the tests that changes since `revision` can affect.
// Default: uncommitted changes.
import { spawnSync } from 'node:child_process';
import { testsReachedBy } from './reach.mjs';

const [first = '', ...others] = process.argv.slice(2);
const isRevision = first !== '' && !first.startsWith('-');
const git = (...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
};
const changed = [
  ...git('diff', '--name-only', '--no-renames', isRevision ? first : 'HEAD'),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const tests = testsReachedBy(changed);
console.log(`${changed.length} changed files affect ${tests.length} test files`);
if (tests.length === 0) process.exit(0);
const vitestArguments = isRevision || first === '' ? others : [first, ...others];
const { status } = spawnSync('vitest', ['run', '--passWithNoTests', ...tests, ...vitestArguments], {
  stdio: 'inherit',
});
process.exit(status ?? 1);

// `npm run check`: runs all steps, even if one step fails. The exit code is 0 if all steps passed.
import { spawnSync } from 'node:child_process';

const STEPS = [
  { name: 'format', command: 'oxfmt', args: ['--check', '.'] },
  { name: 'build', command: 'tsup', args: [] },
  { name: 'types', command: 'tsc', args: ['-b'] },
  { name: 'types of bench and scripts', command: 'tsc', args: ['-p', 'bench'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings', '.'] },
  { name: 'boundaries', command: 'node', args: ['scripts/boundaries/check.mjs'] },
  { name: 'words', command: 'node', args: ['scripts/words.mjs'] },
  { name: 'budgets', command: 'node', args: ['scripts/check-budgets.mjs'] },
  { name: 'openapi', command: 'node', args: ['--conditions=@headwater/source', 'scripts/openapi.ts', '--check'] },
  { name: 'packages', command: 'node', args: ['scripts/check-packages.mjs'] },
];

const failed = [];
for (const { name, command, args } of STEPS) {
  console.log(`\n== ${name}: ${command} ${args.join(' ')}`);
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) failed.push(error ? `${name} (${error.message})` : name);
}
console.log(
  failed.length === 0 ? `\ncheck: all ${STEPS.length} steps passed` : `\ncheck: failed: ${failed.join(', ')}`,
);
process.exit(failed.length === 0 ? 0 : 1);

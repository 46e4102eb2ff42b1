// `npm run test:long [suites]`: runs all suites, or the named ones (test, kills, ...), with all repetitions.
import { spawnSync } from 'node:child_process';

const SUITES = [
  'test',
  'layers',
  'kills',
  'hostile',
  'postgres',
  'peers',
  'mapserver',
  'browser',
  'airflow',
  'packages',
  'images',
  'storage',
  'chaos',
  'soak',
];
const named = process.argv.slice(2);
const unknown = named.filter((name) => !SUITES.includes(name));
if (unknown.length > 0) {
  console.error(`unknown suite: ${unknown.join(', ')}; use ${SUITES.join(', ')}`);
  process.exit(2);
}

const failed = [];
for (const name of named.length > 0 ? named : SUITES) {
  const script = name === 'test' ? 'test' : `test:${name}`;
  console.log(`\n== npm run ${script}, with all repetitions`);
  const env = { ...process.env, HEADWATER_LONG: 'on' };
  const { status } = spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit', env });
  if (status !== 0) failed.push(script);
}
console.log(failed.length === 0 ? '\ntest:long: all passed' : `\ntest:long: failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

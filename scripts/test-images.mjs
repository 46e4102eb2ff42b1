// `npm run test:images [-- vitest arguments]`: tests the image and its deployment files. If a program is missing, tests
// are skipped; under CI=true, this is a failure. `--build` only builds the image.
import { spawnSync } from 'node:child_process';
import { makeImage, missingForImages } from './image-base.mjs';
import { exitCodeOf, reportMissing } from './missing.mjs';
import { findVenv, KUBERNETES_JUDGE } from './peers.mjs';
import { findPostgres } from './postgres-cluster.mjs';
import { IMAGE_SUITES } from './slow-suites.mjs';

const missing = missingForImages();
const env = { ...process.env, HEADWATER_IMAGE_SUITES: 'on' };
if (missing.length === 0) {
  try {
    makeImage();
    env.HEADWATER_TEST_IMAGE = 'on';
  } catch (error) {
    // A failed build is a failure on every machine, not only in CI.
    console.error(error.message);
    process.exit(1);
  }
}
const judge = findVenv(KUBERNETES_JUDGE, { install: true });
if (judge.reason) missing.push(`kubernetes-validate: ${judge.reason}`);
if (!process.argv.includes('--build')) {
  const postgres = findPostgres();
  if (postgres.missing !== undefined) missing.push(`PostgreSQL: ${postgres.missing}`);
  reportMissing(missing);
  const { status } = spawnSync('vitest', ['run', '--no-file-parallelism', ...IMAGE_SUITES, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env,
  });
  process.exit(exitCodeOf(status, missing));
}

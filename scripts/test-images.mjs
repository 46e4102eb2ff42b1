// `npm run test:images [-- vitest arguments]`: builds the image without a daemon, starts the image, starts the services
// of compose.yaml as processes, and validates the files for Kubernetes. Needs root, and Debian's buildah, debootstrap
// and PostgreSQL. Installs kubernetes-validate from PyPI. If one of these is missing, tests are skipped and the reason
// is printed; under CI=true this is a failure. `--build` only builds the image.
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
    // If the image cannot be built, the suite fails on every machine, and not only under CI=true.
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

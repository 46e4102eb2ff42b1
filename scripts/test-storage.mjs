// `npm run test:storage`: tests buckets of emulators (S3, Google) behind a faulty proxy. If an emulator is missing,
// tests are skipped; under CI=true, this is a failure.
import { spawnSync } from 'node:child_process';
import { exitCodeOf, reportMissing } from './missing.mjs';
import { findVenv, STORAGE_JUDGE } from './peers.mjs';
import { STORAGE_SUITES } from './slow-suites.mjs';

const missing = [];
const found = findVenv(STORAGE_JUDGE, { install: true });
if ('reason' in found) missing.push(`moto and gcp-storage-emulator: ${found.reason}`);
reportMissing(missing);
const { status } = spawnSync('vitest', ['run', ...STORAGE_SUITES, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, HEADWATER_STORAGE_SUITES: 'on' },
});
process.exit(exitCodeOf(status, missing));

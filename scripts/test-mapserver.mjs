// `npm run test:mapserver`: reads a listening map server with GDAL, QGIS and other clients. If a program is missing,
// tests are skipped; under CI=true, this is a failure.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { exitCodeOf, reportMissing } from './missing.mjs';
import { findVenv, OWSLIB_JUDGE, PMTILES_JUDGE, qgisProblem } from './peers.mjs';
import { MAP_SUITES } from './slow-suites.mjs';

const missing = [];
for (const judge of [OWSLIB_JUDGE, PMTILES_JUDGE]) {
  const found = findVenv(judge, { install: true });
  if ('reason' in found) missing.push(`${judge.name}: ${found.reason}`);
}
if (spawnSync('ogrinfo', ['--version'], { stdio: 'ignore' }).status !== 0)
  missing.push("GDAL: install Debian's gdal-bin");
const chromium = process.env.HEADWATER_CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(chromium)) missing.push(`${chromium}; install Debian's chromium or set HEADWATER_CHROMIUM`);
const qgis = qgisProblem();
if (qgis !== undefined) missing.push(qgis);
reportMissing(missing);
const { status } = spawnSync('vitest', ['run', ...MAP_SUITES, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, HEADWATER_MAP_SUITES: 'on' },
});
process.exit(exitCodeOf(status, missing));

// `npm run test:peers`: tests with judges such as GDAL, pysheds and pystac. If a judge is missing, tests are skipped;
// under CI=true, this is a failure.
import { spawnSync } from 'node:child_process';
import { exitCodeOf, reportMissing } from './missing.mjs';
import { DJANGO_JUDGE, findJudges, findVenv, PEER_MODULES, peerEnvironment } from './peers.mjs';
import { leftForTestLong, PEER_SUITES } from './slow-suites.mjs';
import { findStacApiJudges } from './stac-api-judges.mjs';
import { isLong } from './test-length.mjs';

const judges = findJudges(PEER_MODULES);
const stacApi = findStacApiJudges({ install: true });
const django = findVenv(DJANGO_JUDGE, { install: true });
const others = [
  ...('reason' in stacApi ? [`STAC API: ${stacApi.reason}`] : []),
  ...('reason' in django ? [`Django: ${django.reason}`] : []),
];
reportMissing(others);
if (!isLong) for (const line of leftForTestLong()) console.log(`left to npm run test:long: ${line}`);
const { status } = spawnSync('vitest', ['run', ...PEER_SUITES, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...peerEnvironment(), ...judges.variables, HEADWATER_PEER_SUITES: 'on' },
});
process.exit(exitCodeOf(status, [...judges.missing, ...others]));

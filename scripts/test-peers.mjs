// npm run test:peers: the suites whose judges are other people's programs: GDAL, exactextract, NumPy, openpyxl, pysheds, scikit-learn, pystac, stac-validator, stac-api-validator, pystac-client.
// A machine without one of them skips its tests; under CI=true that is a failure.
import { spawnSync } from 'node:child_process';
import { exitCodeOf, tellMissing } from './missing.mjs';
import { findJudges, PEER_MODULES, peerEnvironment } from './peers.mjs';
import { leftToLong, PEER_SUITES } from './slow-suites.mjs';
import { findStacApiJudges } from './stac-api-judges.mjs';
import { isLong } from './test-length.mjs';

const judges = findJudges(PEER_MODULES);
const stacApi = findStacApiJudges({ install: true });
const ofStacApi = 'reason' in stacApi ? [`STAC API: ${stacApi.reason}`] : [];
tellMissing(ofStacApi);
if (!isLong) for (const line of leftToLong()) console.log(`left to npm run test:long: ${line}`);
const { status } = spawnSync('vitest', ['run', ...PEER_SUITES, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...peerEnvironment(), ...judges.variables, HEADWATER_PEER_SUITES: 'on' },
});
process.exit(exitCodeOf(status, [...judges.missing, ...ofStacApi]));

// npm run test:peers: the suites whose judges are other people's programs: GDAL, exactextract, NumPy, openpyxl, pysheds, scikit-learn, pystac, stac-validator, stac-api-validator, pystac-client.
// A machine without one of them skips its tests; under CI=true that is a failure.
import { spawnSync } from 'node:child_process';
import { exitCodeOf, tellMissing } from './missing.mjs';
import { findJudges, peerEnvironment } from './peers.mjs';
import { PEER_SUITES } from './slow-suites.mjs';
import { findStacApiJudges } from './stac-api-judges.mjs';

const judges = findJudges(['numba', 'openpyxl', 'pyproj', 'pysheds', 'shapely', 'sklearn']);
const stacApi = findStacApiJudges({ install: true });
const ofStacApi = 'reason' in stacApi ? [`STAC API: ${stacApi.reason}`] : [];
tellMissing(ofStacApi);
const { status } = spawnSync('vitest', ['run', ...PEER_SUITES, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...peerEnvironment(), ...judges.variables },
});
process.exit(exitCodeOf(status, [...judges.missing, ...ofStacApi]));

// npm run test:peers: the suites whose judges are other people's programs: GDAL, exactextract, NumPy, pysheds, scikit-learn, pystac, stac-validator.
import { spawnSync } from 'node:child_process';
import { findJudges, peerEnvironment } from './peers.mjs';

const judges = findJudges(['numba', 'pyproj', 'pysheds', 'shapely', 'sklearn']);
const { status } = spawnSync(
  'vitest',
  [
    'run',
    'packages/accuracy',
    'packages/ingest/src/import/boundaries/boundaries.peers.test.ts',
    'packages/land-cover/src/derived/water-bodies',
    'packages/raster',
    'packages/stac',
    'packages/terrain',
    'examples/reference-server/src/e2e/hydrology.peers.test.ts',
    'examples/reference-server/src/e2e/judges.test.ts',
    'examples/reference-server/src/e2e/reading-over-recompute.test.ts',
    'examples/reference-server/src/e2e/terrain-judged.test.ts',
    'examples/reference-server/src/e2e/terrain-zones-judged.test.ts',
    ...process.argv.slice(2),
  ],
  {
    stdio: 'inherit',
    env: { ...peerEnvironment(), ...judges },
  },
);
process.exit(status ?? 1);

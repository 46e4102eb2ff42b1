// npm run test:peers: the suites whose judges are other people's programs: GDAL, exactextract, NumPy, pysheds, scikit-learn, pystac, stac-validator.
import { spawnSync } from 'node:child_process';
import { findPeers, peerEnvironment } from './peers.mjs';

const MODULES = [
  'numpy',
  'numba',
  'rasterio',
  'exactextract',
  'pystac',
  'stac_validator',
  'pyproj',
  'pysheds',
  'shapely',
  'sklearn',
];
const found = findPeers({
  install: true,
  modules: MODULES,
  extra: ['pystac==1.15.*', 'stac-validator==4.1.*', 'jsonschema', 'pysheds==0.5', 'scikit-learn==1.*'],
});
const missing = [];
if (!found.python) missing.push(`peers: ${found.reason}`);
if (spawnSync('/usr/bin/python3', ['-c', 'from osgeo import gdal'], { stdio: 'ignore' }).status !== 0) {
  missing.push("GDAL: install Debian's gdal-bin and python3-gdal");
}
for (const line of missing) console.log(`missing, its tests are skipped: ${line}`);

const { status } = spawnSync(
  'vitest',
  [
    'run',
    'packages/accuracy',
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
    env: { ...peerEnvironment(), ...(found.python ? { HEADWATER_PEERS_PYTHON: found.python } : {}) },
  },
);
process.exit(status ?? 1);

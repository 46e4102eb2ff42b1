/** Path of an end-to-end test file. */
const end = (name) => `e2e/${name}.test.ts`;

/**
 * Test files that run in `npm run test:layers`, not in `npm test`. They test layers from the request to the Item. They
 * also map whole synthetic landscapes, and compare the maps with the true classes.
 */
export const LAYER_SUITES = [
  'all-layers',
  'confidence/accuracy',
  'dem-from-stac',
  'derived-layers',
  'derived-ndvi',
  'derived-repeated',
  'earth-engine-scenes',
  'hydrology-dems',
  'hydrology-layers',
  'mws-connectivity',
  'second-world',
  'terrain-degrees',
  'terrain-layers',
  'terrain-lulc',
  'worlds/second/second-world',
].map(end);

/**
 * Test files that run in `npm run test:kills`, not in `npm test`. They kill servers and workers, compute whole samples,
 * make new databases, or import many files. Other suites may run at the same time.
 */
export const KILL_SUITES = [
  'boundary-data',
  'import-data',
  'move-over',
  'run-algorithm',
  'first-start',
  'terminal',
  'kill',
  'worker-kills',
  'scope-kills',
  'sample-and-database',
  'sample-size',
  'orchestrated-server',
  'own-workflow',
  'three-calls',
  'no-orchestrator',
  'command',
  'init',
  'bad-input',
  'make-catalog',
  'accounts',
  'metrics',
  'backup',
  'import',
  'posted-result',
  'work-service',
  'upgrade/upgrade',
]
  .map(end)
  .concat([
    'packages/ingest/src/download/download-kill.test.ts',
    'packages/ingest/src/import/boundaries/boundary-importer.test.ts',
    'packages/postgres/src/embedded/compact.test.ts',
    'packages/postgres/src/embedded/embedded-kills.test.ts',
    'packages/sample-world/src/generate-sample.test.ts',
    'packages/sample-world/src/whole-sample.test.ts',
    'packages/server/src/algorithms/workflow-task.test.ts',
    'packages/server/src/backup/backup.test.ts',
    'packages/server/src/backup/backup-series.test.ts',
    'packages/server/src/backup/restore-command.test.ts',
    'packages/server/src/maintenance/drain-command.test.ts',
  ]);

/**
 * Test files that run in `npm run test:hostile`, not in `npm test`. They measure response times or memory during
 * attacks: hostile files, addresses and searches, and floods of requests. Other suites would disturb these
 * measurements, so no other suite may run at the same time.
 */
export const HOSTILE_SUITES = ['hostile-files', 'hostile-addresses', 'hostile-searches', 'job-flood', 'strangers']
  .map(end)
  .concat([
    ...['geojson', 'geopackage', 'shapefile'].map(
      (kind) => `packages/ingest/src/import/boundaries/hostile-${kind}.test.ts`,
    ),
    'packages/server/src/debug-log.test.ts',
    'packages/server/src/server-limits.test.ts',
    'packages/testkit-internal/src/faults/background.test.ts',
    'packages/testkit-internal/src/http/hostile/embedded.test.ts',
    'packages/testkit-internal/src/http/published/large-geometries.test.ts',
    'packages/testkit-internal/src/imports/hostile-workbook.test.ts',
  ]);

/**
 * Test files that run in `npm run test:chaos`, which only `npm run test:long` includes. They kill services, workers and
 * databases, fill a disk, move the clock and open a thousand connections.
 */
export const CHAOS_SUITES = ['chaos', 'chaos-faults', 'chaos-machine', 'chaos-orchestrator'].map(end);

/** Test files that run in `npm run test:browser`, not in `npm test`. */
export const BROWSER_SUITES = [
  'pages',
  'screens',
  'admin-forms',
  'admin-runs',
  'docs',
  'map',
  'measured-maps',
  'accuracy-report',
  'client-package',
].map(end);

/** Folders of test files that run in `npm run test:mapserver`, not in `npm test`, because GDAL, QGIS and OWSLib read a listening server. */
export const MAP_SUITES = ['e2e/map-server/'];

/**
 * Test files that run in `npm run test:storage`, not in `npm test`. They need emulators of object storage, or start servers
 * that publish to such storage.
 */
export const STORAGE_SUITES = ['emulators', 'killed-upload', 'service-with-bucket'].map((name) =>
  end(`object-storage/${name}`),
);

/** Folders of test files that run in `npm run test:images`, not in `npm test`, because they build and start the image. */
export const IMAGE_SUITES = ['e2e/images/'];

const JUDGED_SERVERS = ['judges', 'reading-over-recompute', 'terrain-judged', 'terrain-zones-judged'].map(end);

/**
 * Globs of test files that run in `npm run test:peers`, not in `npm test`, because all of their test cases need a judge
 * (an independent program that checks our output).
 */
export const JUDGED_SUITES = ['**/*.peers.test.ts', ...JUDGED_SERVERS];

/**
 * Filters of the test files that `npm run test:peers` runs: all files with a judge that needs its own Python. If the
 * only judge of a file is the system's GDAL, the file runs in `npm test`, on machines that have GDAL.
 */
export const PEER_SUITES = [
  '.peers.test.ts',
  'packages/raster/src/zonal/distribution.test.ts',
  'packages/raster/src/zonal/zonal.test.ts',
  'packages/raster/src/zonal/zonal-values.test.ts',
  ...JUDGED_SERVERS,
];

/**
 * Number of variants of each kind of file that GDAL can write. `npm run test:long` tests all variants; other runs test
 * a few.
 */
export const VARIANTS = {
  tiffs: { all: 300, few: 16 },
  shapefiles: { all: 60, few: 8 },
  geopackages: { all: 40, few: 6 },
};

/** Returns lines that describe the variants that a short run omits. */
export const leftForTestLong = () =>
  Object.entries(VARIANTS).map(([kind, { all, few }]) => `${all - few} of ${all} ${kind} that GDAL writes`);

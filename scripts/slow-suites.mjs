const end = (name) => `e2e/${name}.test.ts`;

/** Test files of `npm run test:layers`: layers from the request to the Item, and maps of synthetic landscapes. */
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
 * Test files of `npm run test:kills`: they kill processes, compute whole samples, make databases, or import many files.
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

/** Test files of `npm run test:hostile`. They measure times or memory, so no other suite may run at the same time. */
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
 * Test files of `npm run test:chaos`: they kill processes, fill a disk, move the clock, or open a thousand connections.
 */
export const CHAOS_SUITES = ['chaos', 'chaos-faults', 'chaos-machine', 'chaos-orchestrator'].map(end);

/** Test files of `npm run test:browser`. */
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

/** Folders of test files of `npm run test:mapserver`: GDAL, QGIS and OWSLib read a listening server. */
export const MAP_SUITES = ['e2e/map-server/'];

/** Test files of `npm run test:storage`, which need object storage. */
export const STORAGE_SUITES = ['emulators', 'killed-upload', 'service-with-bucket'].map((name) =>
  end(`object-storage/${name}`),
);

/** Folders of test files of `npm run test:images`, which build and start the image. */
export const IMAGE_SUITES = ['e2e/images/'];

const JUDGED_SERVERS = ['judges', 'reading-over-recompute', 'terrain-judged', 'terrain-zones-judged'].map(end);

/** Globs of test files that `npm test` omits, because all of their cases need a judge. */
export const JUDGED_SUITES = ['**/*.peers.test.ts', ...JUDGED_SERVERS];

/** Filters of the test files of `npm run test:peers`. */
export const PEER_SUITES = [
  '.peers.test.ts',
  'packages/raster/src/zonal/distribution.test.ts',
  'packages/raster/src/zonal/zonal.test.ts',
  'packages/raster/src/zonal/zonal-values.test.ts',
  ...JUDGED_SERVERS,
];

/** Numbers of variants that GDAL can write, by kind. A short run tests `few`; only `npm run test:long` tests all. */
export const VARIANTS = {
  tiffs: { all: 300, few: 16 },
  shapefiles: { all: 60, few: 8 },
  geopackages: { all: 40, few: 6 },
};

/** Lines about the variants that a short run omits. */
export const leftForTestLong = () =>
  Object.entries(VARIANTS).map(([kind, { all, few }]) => `${all - few} of ${all} ${kind} that GDAL writes`);

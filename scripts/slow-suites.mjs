/** Path of an end-to-end test file of the reference server. */
const end = (name) => `e2e/${name}.test.ts`;

/** Test files that `npm test` leaves to `npm run test:layers`: every layer of the sample, and whole worlds whose maps are compared with the truth. */
export const LAYER_SUITES = ['all-layers', 'confidence/accuracy', 'second-world'].map(end);

/** Test files that `npm test` leaves to `npm run test:kills`. */
export const SLOW_SUITES = [
  'kill',
  'worker-kills',
  'hostile-files',
  'hostile-addresses',
  'sample-size',
  'sample-beside-database',
  'orchestrated-server',
  'own-workflow',
]
  .map(end)
  .concat([
    'packages/postgres/src/embedded/embedded-kills.test.ts',
    'packages/postgres/src/embedded/make-files.test.ts',
    'packages/sample-world/src/whole-sample.test.ts',
  ]);

/** Test files that `npm test` leaves to `npm run test:browser`. */
export const BROWSER_SUITES = ['pages', 'docs', 'accuracy-report'].map(end);

const JUDGED_SERVERS = ['judges', 'reading-over-recompute', 'terrain-judged', 'terrain-zones-judged'].map(end);

/** Test files, as globs, that `npm test` leaves to `npm run test:peers`: none of their cases runs without a judge. */
export const JUDGED_SUITES = ['**/*.peers.test.ts', ...JUDGED_SERVERS];

/**
 * Test files that `npm run test:peers` runs, as vitest's filters: every one with a judge that needs a Python of its own. What is judged by the system's GDAL
 * alone is judged by `npm test`, wherever GDAL is.
 */
export const PEER_SUITES = [
  '.peers.test.ts',
  'packages/raster/src/zonal/zonal.test.ts',
  'packages/raster/src/zonal/zonal-values.test.ts',
  ...JUDGED_SERVERS,
];

/** Files of each kind that GDAL writes in many ways: all of them are read by `npm run test:long`, a few by other runs. */
export const VARIANTS = {
  tiffs: { all: 300, few: 16 },
  shapefiles: { all: 60, few: 8 },
  geopackages: { all: 40, few: 6 },
};

/** Lines that say what a short run leaves out. */
export const leftToLong = () =>
  Object.entries(VARIANTS).map(([kind, { all, few }]) => `${all - few} of ${all} ${kind} that GDAL writes`);

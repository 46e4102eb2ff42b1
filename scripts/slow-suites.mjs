/** Path of an end-to-end test file of the reference server. */
const end = (name) => `examples/reference-server/src/e2e/${name}.test.ts`;

/** Test files that `npm test` leaves to `npm run test:layers`. */
export const LAYER_SUITES = [end('all-layers')];

/** Test files that `npm test` leaves to `npm run test:kills`. */
export const SLOW_SUITES = [
  'kill',
  'worker-kills',
  'hostile-files',
  'hostile-addresses',
  'sample-size',
  'orchestrated-server',
  'own-workflow',
].map(end);

/** Test files that `npm test` leaves to `npm run test:browser`. */
export const BROWSER_SUITES = ['pages', 'docs', 'accuracy-report'].map(end);

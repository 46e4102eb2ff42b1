/** Test files that `npm test` leaves to `npm run test:layers`. */
export const LAYER_SUITES = ['examples/reference-server/src/e2e/all-layers.test.ts'];

/** Test files that `npm test` leaves to `npm run test:kills`. */
export const SLOW_SUITES = [
  'kill',
  'worker-kills',
  'hostile-files',
  'hostile-addresses',
  'sample-size',
  'orchestrated-server',
].map((name) => `examples/reference-server/src/e2e/${name}.test.ts`);

/** Test files that `npm test` leaves to `npm run test:kills`. */
export const SLOW_SUITES = ['kill', 'hostile-files', 'hostile-addresses', 'sample-size'].map(
  (name) => `examples/reference-server/src/e2e/${name}.test.ts`,
);

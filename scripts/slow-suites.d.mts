/** Test files that `npm test` leaves to `npm run test:layers`. */
export const LAYER_SUITES: readonly string[];
/** Test files that `npm test` leaves to `npm run test:kills`. */
export const SLOW_SUITES: readonly string[];
/** Test files that `npm test` leaves to `npm run test:browser`. */
export const BROWSER_SUITES: readonly string[];
/** Filters of the test files that `npm run test:peers` runs. */
export const PEER_SUITES: readonly string[];

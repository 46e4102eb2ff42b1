/** Test files that `npm test` leaves to `npm run test:kills`. */
export const SLOW_SUITES: readonly string[];

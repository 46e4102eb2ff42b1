/** Test files that `npm test` leaves to `npm run test:layers`. */
export const LAYER_SUITES: readonly string[];
/** Test files that `npm test` leaves to `npm run test:kills`. */
export const SLOW_SUITES: readonly string[];
/** Test files that `npm test` leaves to `npm run test:browser`. */
export const BROWSER_SUITES: readonly string[];
/** Globs of the test files that `npm test` leaves to `npm run test:peers`. */
export const JUDGED_SUITES: readonly string[];
/** Filters of the test files that `npm run test:peers` runs. */
export const PEER_SUITES: readonly string[];
/** Kinds of files that GDAL writes in many variants. */
export type VariantKind = 'tiffs' | 'shapefiles' | 'geopackages';
/** Number of all variants of each kind, and the number that a short run uses. */
export const VARIANTS: Readonly<Record<VariantKind, { readonly all: number; readonly few: number }>>;
/** Returns lines that describe what a short run leaves out. */
export function leftForTestLong(): readonly string[];

/** Test files that run in `npm run test:layers`, not in `npm test`. */
export const LAYER_SUITES: readonly string[];
/** Test files that run in `npm run test:kills`, not in `npm test`. */
export const KILL_SUITES: readonly string[];
/** Test files that run in `npm run test:hostile`, not in `npm test`. */
export const HOSTILE_SUITES: readonly string[];
/** Test files that run in `npm run test:chaos`, a part of `npm run test:long`. */
export const CHAOS_SUITES: readonly string[];
/** Test files that run in `npm run test:browser`, not in `npm test`. */
export const BROWSER_SUITES: readonly string[];
/** Folders of test files that run in `npm run test:mapserver`, not in `npm test`. */
export const MAP_SUITES: readonly string[];
/** Folders of test files that run in `npm run test:images`, not in `npm test`. */
export const IMAGE_SUITES: readonly string[];
/** Test files that run in `npm run test:storage`, not in `npm test`. */
export const STORAGE_SUITES: readonly string[];
/** Globs of test files that run in `npm run test:peers`, not in `npm test`. */
export const JUDGED_SUITES: readonly string[];
/** Filters of the test files that `npm run test:peers` runs. */
export const PEER_SUITES: readonly string[];
/** Kinds of files that GDAL writes in many variants. */
export type VariantKind = 'tiffs' | 'shapefiles' | 'geopackages';
/** Number of all variants of each kind, and the number that a short run uses. */
export const VARIANTS: Readonly<Record<VariantKind, { readonly all: number; readonly few: number }>>;
/** Returns lines that describe the variants that a short run omits. */
export function leftForTestLong(): readonly string[];

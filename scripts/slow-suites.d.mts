/** Test files of `npm run test:layers`. */
export const LAYER_SUITES: readonly string[];
/** Test files of `npm run test:kills`. */
export const KILL_SUITES: readonly string[];
/** Test files of `npm run test:hostile`. */
export const HOSTILE_SUITES: readonly string[];
/** Test files of `npm run test:chaos`, which is a part of `npm run test:long`. */
export const CHAOS_SUITES: readonly string[];
/** Test files of `npm run test:browser`. */
export const BROWSER_SUITES: readonly string[];
/** Folders of test files of `npm run test:mapserver`. */
export const MAP_SUITES: readonly string[];
/** Folders of test files of `npm run test:images`. */
export const IMAGE_SUITES: readonly string[];
/** Test files of `npm run test:storage`. */
export const STORAGE_SUITES: readonly string[];
/** Globs of test files that run in `npm run test:peers`, not in `npm test`. */
export const JUDGED_SUITES: readonly string[];
/** Filters of the test files of `npm run test:peers`. */
export const PEER_SUITES: readonly string[];
/** Kinds of files that GDAL writes in many variants. */
export type VariantKind = 'tiffs' | 'shapefiles' | 'geopackages';
/** Number of all variants of each kind, and the number that a short run uses. */
export const VARIANTS: Readonly<Record<VariantKind, { readonly all: number; readonly few: number }>>;
/** Lines about the variants that a short run omits. */
export function leftForTestLong(): readonly string[];

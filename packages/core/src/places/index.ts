export { findPlace, type PlaceNames } from './find-place.ts';
export { isPlainPlaceName } from './name-check.ts';
export { placeSlug } from './slug.ts';

export { findPlace, type PlaceNames } from './find-place.ts';
export { isPlainPlaceName } from './name-check.ts';
export { placeSlug } from './slug.ts';
export { blockViews, districtViews, normalizedName, stateViews } from './views.ts';
export type { BlockView, DistrictView, StateView } from './views.ts';

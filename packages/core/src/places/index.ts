export { editDistance, similarity } from './edit-distance.ts';
export { findPlace, type PlaceNames, type UnknownPlace } from './find-place.ts';
export { findTehsil, type PlaceSources } from './find-tehsil.ts';
export { latinName, needsLatin } from './latin-name.ts';
export { isPlainPlaceName } from './name-check.ts';
export { loadPlace, mwsZones, requestOfPlace, resolvePlace, searchBox, type ComputedPlace } from './computed-place.ts';
export * from './place-slugs.ts';
export { placeSlug } from '@headwater/stac';
export { mergeVillages, type MergedVillages } from './merge-villages.ts';

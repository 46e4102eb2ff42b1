// `@headwater/core/places`: finding places by name, regions and spellings.
export { findPlace, type PlaceNames, type UnknownPlace } from './find-place.ts';
export { findTehsil, plainSlugs, type PlainSlugs, type PlaceSources } from './find-tehsil.ts';
export { latinName, needsLatin } from './latin-name.ts';
export { isPlainPlaceName } from './name-check.ts';
export { UID_RULE } from './place-slugs.ts';
export { nearNames } from './find-place.ts';
export {
  loadPlace,
  mwsZones,
  requestOfPlace,
  resolvePlace,
  searchBox,
  type ComputedPlace,
  accountProblem,
  stateProblem,
  checkAccount,
} from './computed-place.ts';
export {
  checkedRegion,
  isRegionPath,
  placeText,
  REGION_LIMITS,
  regionPath,
  regionPlace,
  REGIONS_STATE,
  type Region,
  type RegionLimits,
} from './region.ts';
export { isNeeded, placeNeeds, tehsilUsed, type NeedSources, type PlaceNeeds } from './place-needs.ts';
export * from './place-slugs.ts';
export { placeSlug } from '@headwater/stac';
export { mergeVillages, type MergedVillages } from './merge-villages.ts';

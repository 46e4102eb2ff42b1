// `@headwater/core/pipelines`: helpers for packages that run pipelines, or build Items for them.
export type * from './pipeline.ts';
export { villageProperties } from '../geo/outlines.ts';
export { DEFAULT_REMEDIES } from './needs.ts';
export { eoAccountField, placeFields, yearFields } from './request-fields.ts';
export {
  unmetNeed,
  nameOfNeed,
  versionsOfNeeds,
  type DemNeed,
  type LayerNeed,
  type UnmetNeed,
  type MissingNeed,
  type Need,
  type NeedSources,
  type TableNeed,
} from './needs.ts';
export { createPublishedLayers, createPublishedReads } from './published.ts';
export {
  BETWEEN_CREDITS,
  BOUNDARY,
  CATALOGUE_TITLE,
  FEATURE_SHAPE,
  isMadeFor,
  propertiesOfItem,
  SYNTHETIC_NOTICE,
} from './item-properties.ts';

export type * from './pipeline.ts';
export { mwsFeature, mwsOutline, villageFeature, villageOutline } from './boundary-features.ts';
export { openFiles, type RunFiles } from './run-files.ts';
export { DEFAULT_REMEDIES } from './default-remedies.ts';
export { eoAccountField, placeFields, yearFields } from './request-fields.ts';
export {
  missed,
  nameOfNeed,
  versionsOfNeeds,
  type DemNeed,
  type LayerNeed,
  type MissedNeed,
  type MissingNeed,
  type Need,
  type TableNeed,
} from './needs.ts';
export { createPublishedLayers, createPublishedReads } from './published.ts';
export {
  BETWEEN_CREDITS,
  itemSources,
  itemTitle,
  propertiesOfItem,
  SYNTHETIC_NOTICE,
  timesOfYears,
  type ItemSources,
} from './item-sources.ts';
export { CATALOGUE_TITLE, itemFrame, type FramedItem } from './item-frame.ts';
export { checkBoundary, isGridAround, isOutputGrid } from './place-grid.ts';
export { inputsOfNeeds, inputsOfPlace } from './place-inputs.ts';
export { MWS_AREA, MWS_UID } from './mws-columns.ts';
export {
  type ColumnsByProperty,
  type ColumnsOf,
  describedColumns,
  type DescribedColumns,
  type FeatureRow,
} from './described-columns.ts';
export { createStepClock, type StepClock } from './step-clock.ts';
export { fileAsset, type Shown, type StyleFiles, type StyleTexts, writeStyles } from './layer-files.ts';
export type { LayerDraft, LayerTools, MadeLayer } from './made-layer.ts';
export { itemGrid, publishRasterLayer, type RasterLayerDraft } from './raster-layer.ts';
export { FEATURE_SHAPE, publishVectorLayer, type VectorLayerDraft } from './vector-layer.ts';
export { type LayerFeature, PAPER } from './vector-picture.ts';

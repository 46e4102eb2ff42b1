export { itemFrame, type FramedItem } from './items/item-frame.ts';
export { itemSources, itemTitle, timesOfYears, type ItemSources } from './items/item-sources.ts';
export { mwsFeature, villageFeature } from './layers/boundary-features.ts';
export {
  type ColumnsByProperty,
  type ColumnsOf,
  describedColumns,
  type DescribedColumns,
  type FeatureRow,
} from './layers/described-columns.ts';
export { fileAsset, type Shown, type StyleFiles, type StyleTexts, writeStyles } from './layers/layer-files.ts';
export type { LayerDraft, LayerTools, MadeLayer } from './layers/made-layer.ts';
export { MWS_AREA, MWS_UID } from './layers/mws-columns.ts';
export { itemGrid, publishRasterLayer, type RasterLayerDraft } from './layers/raster-layer.ts';
export { publishVectorLayer, type VectorLayerDraft } from './layers/vector-layer.ts';
export { type LayerFeature, PAPER } from './layers/vector-picture.ts';
export { checkBoundary, isGridAround, isOutputGrid } from './pipeline/place-grid.ts';
export { inputsOfNeeds, inputsOfPlace } from './pipeline/place-inputs.ts';
export { openFiles, type RunFiles } from './run/run-files.ts';
export { createStepClock, type StepClock } from './run/step-clock.ts';
export * from './styles/index.ts';

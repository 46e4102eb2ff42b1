export { layerItemId, type LayerAbout, membersOf } from './items/about.ts';
export { itemFrame, type FramedItem } from './items/item-frame.ts';
export { itemSources, itemTitle, timesOfYears, type ItemSources } from './items/item-sources.ts';
export {
  featureOf,
  mwsFeature,
  villageFeature,
  type DescribedLayer,
  type MwsDraft,
  publishMws,
  publishRaster,
  publishVector,
  type RasterDraft,
  type VectorDraft,
} from './layers/described-layer.ts';
export { type ClassRasterDraft, classesSld, publishClasses, type RasterClass } from './layers/class-raster.ts';
export {
  type ColumnsByProperty,
  type ColumnsOf,
  describedColumns,
  type DescribedColumns,
  type FeatureRow,
} from './layers/described-columns.ts';
export { fileAsset, type PreviewText, type StyleFiles, type StyleTexts, writeStyles } from './layers/layer-files.ts';
export {
  type LayerDraft,
  type LayerPlacement,
  type LayerTools,
  type RunOutput,
  joinOutputs,
  type Sheet,
} from './layers/layer-output.ts';
export { hectares, MWS_AREA, MWS_UID } from './layers/mws-columns.ts';
export { itemGrid, publishRasterLayer, type RasterLayerDraft } from './layers/raster-layer.ts';
export { type RasterParts, valueLayer, type ValueSpec } from './layers/value-layer.ts';
export { publishVectorLayer, type VectorLayerDraft } from './layers/vector-layer.ts';
export { type LayerFeature, PAPER } from './layers/vector-picture.ts';
export { definePipeline, type PipelineSpec, type Result } from './pipeline/define-pipeline.ts';
export { type InputTools, layerPipeline, type LayerSpec } from './pipeline/layer-pipeline.ts';
export { isGridAround, isOutputGrid, type IsGridOf } from './pipeline/place-grid.ts';
export {
  EXAMPLE_PLACE,
  placeExamples,
  placeParams,
  type PlaceParams,
  placeRequest,
  type PlaceRequest,
  resolvePlaceParams,
} from './pipeline/place-request.ts';
export { outputOf, readClasses, zonesOf } from './run/read-rasters.ts';
export {
  openFiles,
  type RunFiles,
  createStepClock,
  type StepClock,
  type ItemWork,
  type LayerWork,
  share,
  type Work,
} from './run/work.ts';
export { equalSteps } from './styles/vector-style.ts';
export * from './styles/index.ts';

import { blockLayerPipeline } from './boundaries/block-layer.ts';
import { mwsCentroidPipeline } from './boundaries/mws-centroid.ts';
import { mwsLayerPipeline } from './boundaries/mws-layer.ts';
import { changeDetectionPipeline } from './change-detection/raster-pipeline.ts';
import { changeVectorPipeline } from './change-detection/vector-pipeline.ts';
import { cropGridPipeline } from './crop-grid/pipeline.ts';
import { croppingIntensityPipeline } from './cropping-intensity/pipeline.ts';
import { lulcVectorPipeline } from './lulc-vector/pipeline.ts';
import { waterBodiesPipeline } from './water-bodies/pipeline.ts';

/** Pipelines of the layers that follow from places and from published land cover; each is made of what the ones before it publish. */
export const derivedPipelines = [
  blockLayerPipeline,
  mwsLayerPipeline,
  mwsCentroidPipeline,
  lulcVectorPipeline,
  croppingIntensityPipeline,
  changeDetectionPipeline,
  changeVectorPipeline,
  waterBodiesPipeline,
  cropGridPipeline,
] as const;

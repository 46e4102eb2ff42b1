import { blockLayerPipeline } from './boundaries/block-layer.ts';
import { mwsCentroidPipeline } from './boundaries/mws-centroid.ts';
import { mwsLayerPipeline } from './boundaries/mws-layer.ts';
import { changeDetectionPipeline } from './change-detection/raster-pipeline.ts';
import { changeVectorPipeline } from './change-detection/vector-pipeline.ts';
import { cropGridPipeline } from './crop-grid/pipeline.ts';
import { croppingIntensityPipeline } from './cropping-intensity/pipeline.ts';
import { lulcVectorPipeline } from './lulc-vector/pipeline.ts';
import type { LulcSettings } from '../run/year-scenes.ts';
import { createNdviSeriesPipeline } from './ndvi-series/pipeline.ts';
import { waterBodiesPipeline } from './water-bodies/pipeline.ts';

/** Creates the pipelines of layers that are derived from places and from published land cover. */
export const createDerivedPipelines = (change: Partial<LulcSettings> = {}) =>
  [
    blockLayerPipeline,
    mwsLayerPipeline,
    mwsCentroidPipeline,
    lulcVectorPipeline,
    croppingIntensityPipeline,
    changeDetectionPipeline,
    changeVectorPipeline,
    waterBodiesPipeline,
    cropGridPipeline,
    createNdviSeriesPipeline(change),
  ] as const;

/** Derived pipelines with the default settings. */
export const derivedPipelines = createDerivedPipelines();

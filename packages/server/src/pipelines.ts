import { createValidatePipeline } from '@headwater/accuracy/validate';
import { createDerivedPipelines, createLulcPipeline, lulcMaker, type LulcSettings } from '@headwater/land-cover';
import {
  createTerrainLulcPipelines,
  mwsConnectivityPipeline,
  catchmentAreaPipeline,
  drainageDistancePipeline,
  drainagePipeline,
  naturalDepressionPipeline,
  slopePercentagePipeline,
  streamOrderPipeline,
  terrainDescriptorPipeline,
  terrainRasterPipeline,
} from '@headwater/terrain';

/** Every pipeline of this server; the OpenAPI document in `docs` describes the same pipelines. */
export const createPipelines = (landCover: Partial<LulcSettings> = {}) => [
  createLulcPipeline(landCover),
  ...createDerivedPipelines(landCover),
  slopePercentagePipeline,
  terrainRasterPipeline,
  terrainDescriptorPipeline,
  mwsConnectivityPipeline,
  ...createTerrainLulcPipelines(lulcMaker),
  streamOrderPipeline,
  drainagePipeline,
  catchmentAreaPipeline,
  drainageDistancePipeline,
  naturalDepressionPipeline,
  createValidatePipeline([lulcMaker]),
];

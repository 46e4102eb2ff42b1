import { createValidatePipeline } from '@headwater/accuracy/validate';
import { createDerivedPipelines, createLulcPipeline, lulcMaker, type LulcSettings } from '@headwater/land-cover';
import {
  createTerrainLulcPipelines,
  mwsConnectivityPipeline,
  catchmentAreaPipeline,
  createDrainageDistancePipeline,
  createDrainagePipeline,
  createStreamOrderPipeline,
  naturalDepressionPipeline,
  slopePercentagePipeline,
  type StreamSettings,
  terrainDescriptorPipeline,
  terrainRasterPipeline,
} from '@headwater/terrain';

/** All pipelines of this server. */
export const createPipelines = (settings: Partial<LulcSettings> & StreamSettings = {}) => [
  createLulcPipeline(settings),
  ...createDerivedPipelines(settings),
  slopePercentagePipeline,
  terrainRasterPipeline,
  terrainDescriptorPipeline,
  mwsConnectivityPipeline,
  ...createTerrainLulcPipelines(lulcMaker),
  createStreamOrderPipeline(settings),
  createDrainagePipeline(settings),
  catchmentAreaPipeline,
  createDrainageDistancePipeline(settings),
  naturalDepressionPipeline,
  createValidatePipeline([lulcMaker]),
];

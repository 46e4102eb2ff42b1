import { expect, it } from 'vitest';
import {
  catchmentAreaPipeline,
  drainageDistancePipeline,
  drainagePipeline,
  mwsConnectivityPipeline,
  naturalDepressionPipeline,
  slopePercentagePipeline,
  streamOrderPipeline,
  terrainDescriptorPipeline,
  terrainRasterPipeline,
} from '../index.ts';

it.each([
  [catchmentAreaPipeline, 'generate_catchment_area_singleflow', 'Successfully initiated'],
  [drainageDistancePipeline, 'generate_distance_nearest_DL', 'Successfully initiated'],
  [drainagePipeline, 'generate_drainage_layer', 'Successfully initiated'],
  [mwsConnectivityPipeline, 'generate_mws_connectivity_data', 'Successfully initiated'],
  [naturalDepressionPipeline, 'generate_natural_depression', 'Successfully initiated'],
  [slopePercentagePipeline, 'generate_slope_percentage', 'Successfully initiated'],
  [streamOrderPipeline, 'stream_order', 'stream_order_vector task initiated'],
  [terrainDescriptorPipeline, 'generate_terrain_descriptor', 'generate_terrain_descriptor task initiated'],
  [terrainRasterPipeline, 'generate_terrain_raster', 'generate_terrain_raster task initiated'],
] as const)(
  'answers with the message that clients of the existing service expect: %#',
  (pipeline, route, initiated) => {
    expect([pipeline.route, pipeline.messages.initiated]).toEqual([route, initiated]);
  },
);

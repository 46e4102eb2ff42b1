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

it('answers with the words that clients of the live system know', () => {
  const pipelines = [
    catchmentAreaPipeline,
    drainageDistancePipeline,
    drainagePipeline,
    mwsConnectivityPipeline,
    naturalDepressionPipeline,
    slopePercentagePipeline,
    streamOrderPipeline,
    terrainDescriptorPipeline,
    terrainRasterPipeline,
  ];
  expect(Object.fromEntries(pipelines.map(({ route, messages }) => [route, messages.initiated]))).toEqual({
    generate_catchment_area_singleflow: 'Successfully initiated',
    generate_distance_nearest_DL: 'Successfully initiated',
    generate_drainage_layer: 'Successfully initiated',
    generate_mws_connectivity_data: 'Successfully initiated',
    generate_natural_depression: 'Successfully initiated',
    generate_slope_percentage: 'Successfully initiated',
    stream_order: 'stream_order_vector task initiated',
    generate_terrain_descriptor: 'generate_terrain_descriptor task initiated',
    generate_terrain_raster: 'generate_terrain_raster task initiated',
  });
});

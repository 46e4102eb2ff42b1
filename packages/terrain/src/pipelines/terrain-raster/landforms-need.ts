import { type ComputedPlace, layerNamesOf, type LayerNeed, requestOfPlace } from '@headwater/core';
import { TERRAIN_RASTER, TERRAIN_WORKSPACE, terrainRasterLayer } from './pipeline.ts';

/** The landforms of a place, and the request that makes them. */
export function landformsNeed(job: ComputedPlace, eoAccountId: number): LayerNeed {
  const { layerName } = layerNamesOf(job.slugs, terrainRasterLayer);
  return {
    kind: 'layer',
    workspace: TERRAIN_WORKSPACE,
    layerName,
    tehsilId: job.place.tehsil.id,
    place: job,
    pipeline: TERRAIN_RASTER,
    request: requestOfPlace(job, eoAccountId),
  };
}

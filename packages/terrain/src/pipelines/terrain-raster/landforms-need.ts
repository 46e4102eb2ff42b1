import { type ComputedPlace, layerNamesOf, type LayerNeed } from '@headwater/core';
import { TERRAIN_RASTER, TERRAIN_WORKSPACE, terrainRasterLayer } from './pipeline.ts';

/** Names and account as a request for the same place has them. */
export const requestOf = ({ place }: ComputedPlace, eoAccountId: number) => ({
  state: place.state.name,
  district: place.district.name,
  tehsil: place.tehsil.name,
  eoAccountId,
});

/** The landforms of a place, and the request that makes them. */
export function landformsNeed(job: ComputedPlace, eoAccountId: number): LayerNeed {
  const { layerName } = layerNamesOf(job.slugs, terrainRasterLayer);
  return {
    kind: 'layer',
    workspace: TERRAIN_WORKSPACE,
    layerName,
    tehsilId: job.place.tehsil.id,
    pipeline: TERRAIN_RASTER,
    request: requestOf(job, eoAccountId),
  };
}

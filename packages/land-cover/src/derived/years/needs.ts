import { type ComputedPlace, type LayerNeed, requestOfPlace } from '@headwater/core';
import { RASTER_WORKSPACE, rasterLayer } from '../../run/names.ts';
import type { LulcParams } from '../../request/request.ts';

/**
 * Value of `otherInputs` for a layer that reads only its `needs`. Do not change this value, because stored results
 * would no longer be reused.
 */
export const NO_OTHER_INPUTS = '';

/** Name of the pipeline that computes the yearly land-cover rasters. */
export const LAND_COVER = 'lulc_for_tehsil';

/**
 * Returns the needed raster of each year. One request computes all years, because the temporal correction compares
 * them.
 */
export function landCoverNeeds(
  job: ComputedPlace,
  { startYear, endYear, eoAccountId }: Omit<LulcParams, 'tehsilId'>,
): readonly LayerNeed[] {
  const request = { ...requestOfPlace(job, eoAccountId), startYear, endYear };
  return Array.from({ length: endYear - startYear + 1 }, (_, i): LayerNeed => ({
    kind: 'layer',
    workspace: RASTER_WORKSPACE,
    layerName: rasterLayer(job.slugs, startYear + i).layerName,
    tehsilId: job.place.tehsil.id,
    place: job,
    pipeline: LAND_COVER,
    request,
  }));
}

import type { Mws } from '@headwater/core';
import type { VectorLayerDraft } from '@headwater/layer-kit';
import { type AreasByYear, mwsLayer, mwsStyle } from './mws-layer.ts';
import { mwsPreview } from './mws-preview.ts';

/** What a layer of class areas shows, columns and names left out; its picture is that of the last year. */
export function mwsVector(
  mws: readonly Mws[],
  areas: AreasByYear,
  lastYear: number,
): Pick<VectorLayerDraft, 'features' | 'geometry' | 'style' | 'colors' | 'shown'> {
  const layer = mwsLayer(mws, areas);
  return {
    features: layer.features,
    geometry: 'Boundary of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
    style: mwsStyle(layer, lastYear),
    ...mwsPreview(layer, lastYear),
  };
}

import { isObject } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';
import type { Reply } from '../reply.ts';
import { absent } from '../wire/absent.ts';
import { GEOMETRY_LAYERS, type GeometryLayer } from '../wire/geometry-layers.ts';
import type { NamedPlace } from '../wire/schemas/public-places.ts';
import { JSON_TYPE } from '../wire/wordings/wording.ts';
import { layerFile, type LayerFile, type OgcRequest } from './layer-file.ts';
import { namedTehsil } from './named-tehsil.ts';
import { propertiesOfOnlyFeature } from '../layers/wfs-form.ts';
import { formFile, serveFeatures } from './wfs.ts';

/** Whose boundaries, of which place. */
export interface GeometryRequest extends Pick<OgcRequest, 'method' | 'headers'> {
  readonly place: NamedPlace;
  readonly kind: keyof typeof GEOMETRY_LAYERS;
}

/**
 * The map server's layer of boundaries of a tehsil, with the properties alone that tables are joined on (decision 118), streamed as it is
 * stored. Throws `not_found` where there is none.
 */
export async function geometries(deps: ServiceDeps, { place, kind, method, headers }: GeometryRequest): Promise<Reply> {
  const { tehsilId, tehsil } = await namedTehsil(deps, place);
  const { catalog, lookups } = deps.stores;
  const { workspace, dataset, route, units, properties }: GeometryLayer = GEOMETRY_LAYERS[kind];
  const record = (await catalog.layersOf(tehsilId)).find(
    (layer) => layer.workspace === workspace && layer.datasetName === dataset && layer.layerType === 'vector',
  );
  const request = { workspace, query: {}, method, headers };
  const whole = record && (await layerFile(deps, request, { layerType: 'vector', name: record.layerName }));
  const layer = whole && { ...whole, properties };
  if (layer === undefined || (kind === 'villages' && (await showsTehsil(deps, layer)))) {
    const isUnknown = kind === 'villages' && !(await lookups.unitsBelow(tehsilId)).villages;
    throw isUnknown ? absent('villages', { tehsil }) : absent('geometries', { tehsil, units, route });
  }
  return await serveFeatures(deps, layer, { mediaType: JSON_TYPE, method, headers });
}

/** A layer of villages shows the tehsil itself, with the id 0, where none was known when it was made. */
async function showsTehsil(deps: ServiceDeps, layer: LayerFile): Promise<boolean> {
  const only = await propertiesOfOnlyFeature(await formFile(deps, layer, 'identity'), layer);
  return isObject(only) && only['vill_ID'] === 0;
}

import { isObject } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';
import { propertiesOfOnlyFeature } from '../layers/wfs-form.ts';
import type { Reply } from '../reply.ts';
import { GEOMETRY_LAYERS, type GeometryLayer } from '../wire/geometry-layers.ts';
import type { NamedPlace } from '../wire/schemas/public-places.ts';
import { JSON_TYPE } from '../wire/wordings/wording.ts';
import { boundaries, type BoundaryUnits } from './boundaries.ts';
import { layerFile, type LayerFile, type OgcRequest } from './layer-file.ts';
import { namedTehsil } from './named-tehsil.ts';
import { formFile, serveFeatures } from './wfs.ts';

/** Whose boundaries, of which place. */
export interface GeometryRequest extends Pick<OgcRequest, 'method' | 'headers'> {
  readonly place: NamedPlace;
  readonly kind: BoundaryUnits;
}

/**
/**
 * The map server's layer of boundaries of a tehsil, with the properties alone that tables are joined on (decision 118), streamed as it is
 * stored; where none is published, what the directory knows, in the same form. Throws `not_found` where there is neither.
 */
export async function geometries(deps: ServiceDeps, { place, kind, method, headers }: GeometryRequest): Promise<Reply> {
  const names = await namedTehsil(deps, place);
  const { workspace, dataset, properties }: GeometryLayer = GEOMETRY_LAYERS[kind];
  const record = (await deps.stores.catalog.layersOf(names.tehsilId)).find(
    (layer) => layer.workspace === workspace && layer.datasetName === dataset && layer.layerType === 'vector',
  );
  const request = { workspace, query: {}, method, headers };
  const whole = record && (await layerFile(deps, request, { layerType: 'vector', name: record.layerName }));
  const layer = whole && { ...whole, properties };
  if (layer === undefined || (kind === 'villages' && (await showsTehsil(deps, layer))))
    return await boundaries(deps, { names, kind, method, headers });
  return await serveFeatures(deps, layer, { mediaType: JSON_TYPE, method, headers });
}

/** A layer of villages shows the tehsil itself, with the id 0, where none was known when it was made. */
async function showsTehsil(deps: ServiceDeps, layer: LayerFile): Promise<boolean> {
  const only = await propertiesOfOnlyFeature(await formFile(deps, layer, 'identity'), layer);
  return isObject(only) && only['vill_ID'] === 0;
}

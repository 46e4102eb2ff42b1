import { placeSlug, type TehsilNames } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import type { Ports } from '../../../deps.ts';
import type { Reply } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { JSON_TYPE } from '../../../wire/wordings/wording.ts';
import type { BoundaryUnits } from '../../maps/boundary-forms.ts';
import { layerFile, type OgcRequest } from '../../maps/handlers/layer-file.ts';
import { serveFeatures } from '../../maps/handlers/wfs.ts';
import { GEOMETRY_LAYERS, type GeometryLayer } from '../../maps/schemas/geometry-layers.ts';
import { type FormSource, propertiesOfOnlyFeature, storedForm } from '../../maps/wfs-form.ts';
import type { NamedPlace } from '../schemas/public-places.ts';
import { namedTehsil } from './named-tehsil.ts';

async function boundaries(
  { boundaryForms }: Ports<'boundaryForms'>,
  { district, tehsil, tehsilId }: TehsilNames,
  kind: BoundaryUnits,
): Promise<FormSource> {
  const { absence, layerName } = GEOMETRY_LAYERS[kind];
  const place = `${placeSlug(district)}_${placeSlug(tehsil)}`;
  const source = await boundaryForms.sourceOf({ kind, tehsilId, layerName: layerName(place) });
  if (source === undefined) throw absent(absence, { tehsil });
  return source;
}

/** Request for the boundaries of a place. */
export interface GeometryRequest extends Pick<OgcRequest, 'method' | 'headers'> {
  readonly place: NamedPlace;
  readonly kind: BoundaryUnits;
}

/**
 * Sends a tehsil's boundaries: the published layer (decision 118), otherwise the place directory (decision 117). Throws
 * `not_found`.
 */
export async function geometries(
  deps: Ports<'assets' | 'boundaryForms' | 'forms' | 'stores'>,
  { place, kind, method, headers }: GeometryRequest,
): Promise<Reply> {
  const names = await namedTehsil(deps, place);
  const form = (await publishedForm(deps, names, kind)) ?? (await boundaries(deps, names, kind));
  try {
    return await serveFeatures(deps, form, { mediaType: JSON_TYPE, isLasting: false, method, headers });
  } finally {
    // The reply contains the time of the boundaries' version. This time must be stored before the reply is sent.
    await form.prepared;
  }
}

async function publishedForm(
  deps: Ports<'assets' | 'forms' | 'stores'>,
  { tehsilId }: TehsilNames,
  kind: BoundaryUnits,
): Promise<FormSource | undefined> {
  const { workspace, dataset, properties }: GeometryLayer = GEOMETRY_LAYERS[kind];
  const record = (await deps.stores.catalog.layersOf(tehsilId, workspace)).find(
    (layer) => layer.workspace === workspace && layer.datasetName === dataset && layer.layerType === 'vector',
  );
  const layer =
    record && (await layerFile(deps, { workspace, query: {} }, { layerType: 'vector', name: record.layerName }));
  if (layer === undefined) return undefined;
  const form = storedForm({ ...layer, properties });
  return kind === 'villages' && (await showsTehsil(deps, form)) ? undefined : form;
}

/** True if the layer has only the tehsil itself (id 0), because no village was known. */
async function showsTehsil({ forms }: Ports<'forms'>, form: FormSource): Promise<boolean> {
  const only = await propertiesOfOnlyFeature(await forms.file(form, 'identity'), form);
  return isObject(only) && only['vill_ID'] === 0;
}

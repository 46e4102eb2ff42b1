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

/** Boundaries of a tehsil as the directory has them, in the form that their layer would have. Throws `not_found` where none are known. */
async function boundaries(
  { stores, boundaryForms }: Ports<'stores' | 'boundaryForms'>,
  { district, tehsil, tehsilId }: TehsilNames,
  kind: BoundaryUnits,
): Promise<FormSource> {
  const { absence, layerName } = GEOMETRY_LAYERS[kind];
  if (!(await stores.lookups.unitsBelow(tehsilId))[kind]) throw absent(absence, { tehsil });
  const place = `${placeSlug(district)}_${placeSlug(tehsil)}`;
  return await boundaryForms.sourceOf({ kind, tehsilId, layerName: layerName(place) });
}

/** Whose boundaries, of which place. */
export interface GeometryRequest extends Pick<OgcRequest, 'method' | 'headers'> {
  readonly place: NamedPlace;
  readonly kind: BoundaryUnits;
}

/**
 * The map server's layer of boundaries of a tehsil, with the properties alone that tables are joined on (decision 118), streamed as it is
 * stored; where none is published, what the directory knows, in the same form (decision 117). Throws `not_found` where there is neither.
 */
export async function geometries(
  deps: Ports<'assets' | 'boundaryForms' | 'forms' | 'stores'>,
  { place, kind, method, headers }: GeometryRequest,
): Promise<Reply> {
  const names = await namedTehsil(deps, place);
  const form = (await publishedForm(deps, names, kind)) ?? (await boundaries(deps, names, kind));
  return await serveFeatures(deps, form, { mediaType: JSON_TYPE, isLasting: false, method, headers });
}

async function publishedForm(
  deps: Ports<'assets' | 'forms' | 'stores'>,
  { tehsilId }: TehsilNames,
  kind: BoundaryUnits,
): Promise<FormSource | undefined> {
  const { workspace, dataset, properties }: GeometryLayer = GEOMETRY_LAYERS[kind];
  const record = (await deps.stores.catalog.layersOf(tehsilId)).find(
    (layer) => layer.workspace === workspace && layer.datasetName === dataset && layer.layerType === 'vector',
  );
  const layer =
    record && (await layerFile(deps, { workspace, query: {} }, { layerType: 'vector', name: record.layerName }));
  if (layer === undefined) return undefined;
  const form = storedForm({ ...layer, properties });
  return kind === 'villages' && (await showsTehsil(deps, form)) ? undefined : form;
}

/** A layer of villages shows the tehsil itself, with the id 0, where none was known when it was made. */
async function showsTehsil({ forms }: Ports<'forms'>, form: FormSource): Promise<boolean> {
  const only = await propertiesOfOnlyFeature(await forms.file(form, 'identity'), form);
  return isObject(only) && only['vill_ID'] === 0;
}

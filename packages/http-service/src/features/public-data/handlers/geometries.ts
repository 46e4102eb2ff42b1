import { placeSlug } from '@headwater/core';
import type { PlainSlugs } from '@headwater/core/places';
import type { TehsilBoundaries } from '@headwater/core/ports';
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

/** Request for the boundaries of a place. */
export interface GeometryRequest extends Pick<OgcRequest, 'method' | 'headers'> {
  readonly place: NamedPlace;
  readonly kind: BoundaryUnits;
}

/**
 * Sends a tehsil's boundaries from the published layer (decision 118), otherwise from the place directory (decision
 * 117). Throws `not_found`.
 */
export async function geometries(
  deps: Ports<'assets' | 'boundaryForms' | 'forms' | 'stores'>,
  { place, kind, method, headers }: GeometryRequest,
): Promise<Reply> {
  const found = await namedBoundaries(deps, place, kind);
  const form = (await publishedForm(deps, found, kind)) ?? (await boundaries(deps, found, kind));
  return await serveFeatures(deps, form, { mediaType: JSON_TYPE, isLasting: false, method, headers });
}

async function namedBoundaries(
  deps: Ports<'stores'>,
  place: NamedPlace,
  kind: BoundaryUnits,
): Promise<TehsilBoundaries> {
  const { workspace, dataset } = GEOMETRY_LAYERS[kind];
  const read = async (slugs: PlainSlugs): Promise<TehsilBoundaries | undefined> =>
    await deps.stores.lookups.boundariesNamed(slugs, { kind, workspace, dataset });
  const found = place.slugs && (await read(place.slugs));
  if (found !== undefined) return found;
  const names = await namedTehsil(deps, place);
  const { state, district, tehsil } = names;
  const slugs = { state: placeSlug(state), district: placeSlug(district), tehsil: placeSlug(tehsil) };
  return (await read(slugs)) ?? { ...names, layerName: null, version: '' };
}

async function boundaries(
  { boundaryForms }: Ports<'boundaryForms'>,
  { district, tehsil, tehsilId, version }: TehsilBoundaries,
  kind: BoundaryUnits,
): Promise<FormSource> {
  const { absence, layerName } = GEOMETRY_LAYERS[kind];
  const place = `${placeSlug(district)}_${placeSlug(tehsil)}`;
  const source = await boundaryForms.sourceOf({ kind, tehsilId, layerName: layerName(place), version });
  if (source === undefined) throw absent(absence, { tehsil });
  return source;
}

async function publishedForm(
  deps: Ports<'assets' | 'forms' | 'stores'>,
  { layerName: name }: TehsilBoundaries,
  kind: BoundaryUnits,
): Promise<FormSource | undefined> {
  if (name === null) return undefined;
  const { workspace, properties }: GeometryLayer = GEOMETRY_LAYERS[kind];
  const layer = await layerFile(deps, { workspace, query: {} }, { layerType: 'vector', name });
  if (layer === undefined) return undefined;
  const form = storedForm({ ...layer, properties });
  return kind === 'villages' && (await showsTehsil(deps, form)) ? undefined : form;
}

/** True if the layer has only the tehsil itself (id 0), because no village was known. */
async function showsTehsil({ forms }: Ports<'forms'>, form: FormSource): Promise<boolean> {
  const only = await propertiesOfOnlyFeature(await forms.file(form, 'identity'), form);
  return isObject(only) && only['vill_ID'] === 0;
}

import { placeSlug, type TehsilNames } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import type { BoundaryUnits } from '../boundary-forms.ts';
import type { FormSource } from '../wfs-form.ts';
import { absent } from '../../../wire/absent.ts';
import { GEOMETRY_LAYERS } from '../schemas/geometry-layers.ts';

/** Boundaries of a tehsil as the directory has them, in the form that their layer would have. Throws `not_found` where none are known. */
export async function boundaries(
  { stores, boundaryForms }: Ports<'stores' | 'boundaryForms'>,
  { district, tehsil, tehsilId }: TehsilNames,
  kind: BoundaryUnits,
): Promise<FormSource> {
  const { absence, layerName } = GEOMETRY_LAYERS[kind];
  if (!(await stores.lookups.unitsBelow(tehsilId))[kind]) throw absent(absence, { tehsil });
  const place = `${placeSlug(district)}_${placeSlug(tehsil)}`;
  return await boundaryForms.sourceOf({ kind, tehsilId, layerName: layerName(place) });
}

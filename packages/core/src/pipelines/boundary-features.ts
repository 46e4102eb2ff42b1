import { featureGeometry } from '../geo/outlines.ts';
import { sphericalAreaHa } from '../geo/spherical-area.ts';
import type { Mws, Village } from '../ports/places.ts';

/** A micro-watershed as layers of boundaries show it; area in hectares on the authalic sphere. */
export const mwsFeature = ({ uid, geometry }: Pick<Mws, 'uid' | 'geometry'>) => ({
  type: 'Feature' as const,
  properties: { uid, area_in_ha: sphericalAreaHa(geometry) },
  geometry: featureGeometry(geometry),
});

/** A village as layers of boundaries show it; `vill_ID` 0 = none, area in hectares on the authalic sphere. */
export const villageFeature = ({ id, name, geometry }: Pick<Village, 'id' | 'name' | 'geometry'>) => ({
  type: 'Feature' as const,
  properties: { vill_ID: id, vill_name: name, area_in_ha: sphericalAreaHa(geometry) },
  geometry: featureGeometry(geometry),
});

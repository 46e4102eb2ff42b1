import { featureGeometry } from '../geo/outlines.ts';
import { sphericalAreaHa } from '../geo/spherical-area.ts';
import type { Mws, Village } from '../ports/places.ts';

type OneMws = Pick<Mws, 'uid' | 'geometry'>;
type OneVillage = Pick<Village, 'id' | 'name' | 'geometry'>;

/** A micro-watershed with the property alone that tables are joined on. */
export const mwsOutline = ({ uid, geometry }: OneMws) => ({
  type: 'Feature' as const,
  properties: { uid },
  geometry: featureGeometry(geometry),
});

/** A village with the properties alone that tables are joined on; `vill_ID` 0 = none. */
export const villageOutline = ({ id, name, geometry }: OneVillage) => ({
  type: 'Feature' as const,
  properties: { vill_ID: id, vill_name: name },
  geometry: featureGeometry(geometry),
});

/** A micro-watershed as layers of boundaries show it; area in hectares on the authalic sphere. */
export const mwsFeature = (mws: OneMws) => {
  const { type, properties, geometry } = mwsOutline(mws);
  return { type, properties: { ...properties, area_in_ha: sphericalAreaHa(mws.geometry) }, geometry };
};

/** A village as layers of boundaries show it; area in hectares on the authalic sphere. */
export const villageFeature = (village: OneVillage) => {
  const { type, properties, geometry } = villageOutline(village);
  return { type, properties: { ...properties, area_in_ha: sphericalAreaHa(village.geometry) }, geometry };
};

import { featureGeometry } from '../geo/outlines.ts';
import type { Mws, Village } from '../ports/places.ts';

/** A micro-watershed as a feature with only the property that tables are joined on. */
export const mwsOutline = ({ uid, geometry }: Pick<Mws, 'uid' | 'geometry'>) => ({
  type: 'Feature' as const,
  properties: { uid },
  geometry: featureGeometry(geometry),
});

/** A village as a feature with only the properties that tables are joined on; `vill_ID` 0 = none. */
export const villageOutline = ({ id, name, geometry }: Pick<Village, 'id' | 'name' | 'geometry'>) => ({
  type: 'Feature' as const,
  properties: { vill_ID: id, vill_name: name },
  geometry: featureGeometry(geometry),
});

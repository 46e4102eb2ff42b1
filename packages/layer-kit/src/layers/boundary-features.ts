import { featureGeometry, type Mws, type Outline, sphericalAreaHa, type Village } from '@headwater/core';
import { mwsOutline, villageOutline } from '@headwater/core/pipelines';

/** A polygon as a feature with these properties. */
export const featureOf = <P>(outline: Outline, properties: P) => ({
  type: 'Feature' as const,
  properties,
  geometry: featureGeometry(outline),
});

/** A micro-watershed as a feature of boundary layers; area in hectares on the authalic sphere. */
export const mwsFeature = ({ geometry, ...mws }: Pick<Mws, 'uid' | 'geometry'>) =>
  featureOf(geometry, { ...mwsOutline({ geometry, ...mws }).properties, area_in_ha: sphericalAreaHa(geometry) });

/** A village as a feature of boundary layers; area in hectares on the authalic sphere. */
export const villageFeature = ({ geometry, ...village }: Pick<Village, 'id' | 'name' | 'geometry'>) =>
  featureOf(geometry, {
    ...villageOutline({ geometry, ...village }).properties,
    area_in_ha: sphericalAreaHa(geometry),
  });

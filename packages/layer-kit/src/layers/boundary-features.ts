import { type Mws, sphericalAreaHa, type Village } from '@headwater/core';
import { mwsOutline, villageOutline } from '@headwater/core/pipelines';

/** A micro-watershed as layers of boundaries show it; area in hectares on the authalic sphere. */
export const mwsFeature = (mws: Pick<Mws, 'uid' | 'geometry'>) => withArea(mwsOutline(mws), mws);

/** A village as layers of boundaries show it; area in hectares on the authalic sphere. */
export const villageFeature = (village: Pick<Village, 'id' | 'name' | 'geometry'>) =>
  withArea(villageOutline(village), village);

const withArea = <P, G>(
  { type, properties, geometry }: { readonly type: 'Feature'; readonly properties: P; readonly geometry: G },
  outline: Pick<Mws, 'geometry'>,
) => ({ type, properties: { ...properties, area_in_ha: sphericalAreaHa(outline.geometry) }, geometry });

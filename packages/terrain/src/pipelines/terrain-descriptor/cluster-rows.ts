import { type ComputedPlace, sphericalAreaHa, type TableColumn, type ZonalAreas } from '@headwater/core';
import { type FeatureRow, MWS_AREA, MWS_UID } from '@headwater/layer-kit';
import { descriptorOfAreas, type TerrainDescriptor } from '../../zones/terrain-descriptor.ts';

const M2_PER_HA = 10_000;
/** Column of the terrain cluster's id. */
export const CLUSTER_ID = 'terrain_cluster_id';

/** First columns of sheets and layers with terrain clusters. */
export const CLUSTER_COLUMNS: readonly TableColumn[] = [
  MWS_UID,
  MWS_AREA,
  { name: CLUSTER_ID, type: 'integer', description: 'Terrain cluster 0-3; null without elevation' },
  { name: 'terrain_description', type: 'text', description: 'Terrain cluster in words' },
];

/** Rows of `CLUSTER_COLUMNS` and `others`, by micro-watershed. `areas`: hectares by landform code, `[256]` per uid. */
export const clusterRows = (
  { mws }: Pick<ComputedPlace, 'mws'>,
  areas: ZonalAreas,
  others: (descriptor: TerrainDescriptor, uid: string) => FeatureRow,
): readonly FeatureRow[] =>
  mws.map(({ uid, geometry }) => {
    const hectares = (Object.hasOwn(areas, uid) ? areas[uid] : undefined) ?? [];
    const descriptor = descriptorOfAreas(hectares.map((area) => area * M2_PER_HA));
    return {
      uid,
      area_in_ha: sphericalAreaHa(geometry),
      [CLUSTER_ID]: descriptor.cluster?.id ?? null,
      terrain_description: descriptor.cluster?.title ?? null,
      ...others(descriptor, uid),
    };
  });

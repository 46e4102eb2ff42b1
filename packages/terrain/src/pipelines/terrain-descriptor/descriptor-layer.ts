import {
  type ComputedPlace,
  MWS_AREA,
  MWS_UID,
  sphericalAreaHa,
  type TableColumn,
  type VectorStyle,
  type ZonalAreas,
} from '@headwater/core';
import type { TerrainGroup } from '../../landforms/classes.ts';
import {
  CLUSTER_AXES,
  descriptorOfAreas,
  TERRAIN_CLUSTERS,
  type TerrainDescriptor,
} from '../../zones/terrain-descriptor.ts';
import type { Attributes } from '../shared/vector-layer.ts';

const M2_PER_HA = 10_000;
const CLUSTER_ID = 'terrain_cluster_id';
const SHARES: readonly TerrainGroup[] = CLUSTER_AXES.toSorted();
const shareName = (group: TerrainGroup): string => `${group}_area_percent`;

/** Id and words of the terrain cluster, as every sheet that has them names them. */
export const CLUSTER_COLUMNS: readonly TableColumn[] = [
  { name: CLUSTER_ID, type: 'integer', description: 'Terrain cluster 0-3; null without elevation' },
  { name: 'terrain_description', type: 'text', description: 'Terrain cluster in words' },
];

/** Cells of these columns. */
export const clusterCells = ({ cluster }: Pick<TerrainDescriptor, 'cluster'>): Attributes => ({
  [CLUSTER_ID]: cluster?.id ?? null,
  terrain_description: cluster?.title ?? null,
});

/** What the terrain of a micro-watershed is like; `areas` are hectares by landform code, `[256]` per uid. */
export function descriptorOfMws(uid: string, areas: ZonalAreas): TerrainDescriptor {
  const hectares = (Object.hasOwn(areas, uid) ? areas[uid] : undefined) ?? [];
  return descriptorOfAreas(hectares.map((area) => area * M2_PER_HA));
}

/** Of land without a landform nothing is known: a share of 0 would say that it has none of the group. */
const isKnown = ({ areaM2 }: TerrainDescriptor): boolean => areaM2 > 0;

/** Shares of landforms and cluster of each micro-watershed: attributes of the layer, rows of sheet `terrain`. */
export function descriptorRows({ mws }: Pick<ComputedPlace, 'mws'>, areas: ZonalAreas): readonly Attributes[] {
  return mws.map(({ uid, geometry }) => {
    const descriptor = descriptorOfMws(uid, areas);
    return {
      uid,
      area_in_ha: sphericalAreaHa(geometry),
      ...clusterCells(descriptor),
      ...Object.fromEntries(
        SHARES.map((group) => [shareName(group), isKnown(descriptor) ? descriptor.shares[group] : null]),
      ),
    };
  });
}

/** Columns of the layer and of the sheet. */
export const DESCRIPTOR_COLUMNS: readonly TableColumn[] = [
  MWS_UID,
  MWS_AREA,
  ...CLUSTER_COLUMNS,
  ...SHARES.map((group) => ({
    name: shareName(group),
    type: 'number' as const,
    unit: '%',
    description: `Share of the area with landforms of the group ${group.replace('_', ' ')}, percent; null without elevation`,
  })),
];

/** Each micro-watershed in the colour of its cluster. */
export const DESCRIPTOR_STYLE: VectorStyle = {
  attribute: CLUSTER_ID,
  title: 'Terrain clusters',
  limits: [-0.5, ...TERRAIN_CLUSTERS.map(({ id }) => id + 0.5)],
  colors: TERRAIN_CLUSTERS.map(({ color }) => color),
  labels: TERRAIN_CLUSTERS.map(({ title }) => title),
};

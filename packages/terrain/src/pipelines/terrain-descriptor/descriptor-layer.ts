import type { ComputedPlace, TableColumn, ZonalAreas } from '@headwater/core';
import type { FeatureRow, VectorStyle } from '@headwater/layer-kit';
import type { TerrainGroup } from '../../landforms/classes.ts';
import { CLUSTER_AXES, TERRAIN_CLUSTERS, type TerrainDescriptor } from '../../zones/terrain-descriptor.ts';
import { CLUSTER_COLUMNS, CLUSTER_ID, clusterRows } from './cluster-rows.ts';

const SHARES: readonly TerrainGroup[] = CLUSTER_AXES.toSorted();
const shareName = (group: TerrainGroup): string => `${group}_area_percent`;

/** True if any landform is known. Otherwise shares are null, because 0 would mean that no land is of the group. */
const isKnown = ({ areaM2 }: TerrainDescriptor): boolean => areaM2 > 0;

/** Rows of landform shares and clusters, for the layer and for sheet `terrain`. */
export const descriptorRows = (job: Pick<ComputedPlace, 'mws'>, areas: ZonalAreas): readonly FeatureRow[] =>
  clusterRows(job, areas, (descriptor) =>
    Object.fromEntries(
      SHARES.map((group) => [shareName(group), isKnown(descriptor) ? descriptor.shares[group] : null]),
    ),
  );

/** Columns of the layer and of the sheet. */
export const DESCRIPTOR_COLUMNS: readonly TableColumn[] = [
  ...CLUSTER_COLUMNS,
  ...SHARES.map((group) => ({
    name: shareName(group),
    type: 'number' as const,
    unit: '%',
    description: `Share of the area with landforms of the group ${group.replace('_', ' ')}, percent; null without elevation`,
  })),
];

/** Style of the layer by cluster. */
export const DESCRIPTOR_STYLE: VectorStyle = {
  attribute: CLUSTER_ID,
  title: 'Terrain clusters',
  limits: [-0.5, ...TERRAIN_CLUSTERS.map(({ id }) => id + 0.5)],
  colors: TERRAIN_CLUSTERS.map(({ color }) => color),
  labels: TERRAIN_CLUSTERS.map(({ title }) => title),
};

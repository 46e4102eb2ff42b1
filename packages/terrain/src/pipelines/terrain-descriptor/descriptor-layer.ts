import {
  featureGeometry,
  type Mws,
  type PublishedTable,
  sphericalAreaHa,
  type TableColumn,
  type VectorStyle,
  type ZonalAreas,
} from '@headwater/core';
import type { ClassInput, NonEmpty } from '@headwater/stac';
import type { Feature, FeatureCollection, MultiPolygon } from 'geojson';
import type { TerrainGroup } from '../../landforms/classes.ts';
import { AREA, columnInputs, UID } from '../shared/columns.ts';
import { CLUSTER_AXES, descriptorOfAreas, TERRAIN_CLUSTERS } from '../../zones/terrain-descriptor.ts';

/** Attributes of a micro-watershed. */
export type DescriptorProperties = Readonly<Record<string, string | number | null>>;

/** Of a micro-watershed without elevation: paper, which is no cluster's colour. */
const NO_CLUSTER = '#ffffff';
const M2_PER_HA = 10_000;
const CLUSTER_ID = 'terrain_cluster_id';
const SHARES: readonly TerrainGroup[] = CLUSTER_AXES.toSorted();
const shareName = (group: TerrainGroup): string => `${group}_area_percent`;

/** Shares of landforms and cluster of each micro-watershed; `areas` are hectares by landform code, `[256]` per uid. */
export function descriptorLayer(
  mws: readonly Mws[],
  areas: ZonalAreas,
): FeatureCollection<MultiPolygon, DescriptorProperties> {
  return { type: 'FeatureCollection', features: mws.map((one) => featureOf(one, areas)) };
}

function featureOf({ uid, geometry }: Mws, areas: ZonalAreas): Feature<MultiPolygon, DescriptorProperties> {
  const hectares = (Object.hasOwn(areas, uid) ? areas[uid] : undefined) ?? [];
  const { shares, cluster } = descriptorOfAreas(hectares.map((area) => area * M2_PER_HA));
  const properties = {
    uid,
    area_in_ha: sphericalAreaHa(geometry),
    [CLUSTER_ID]: cluster?.id ?? null,
    terrain_description: cluster?.title ?? null,
    ...Object.fromEntries(SHARES.map((group) => [shareName(group), shares[group]])),
  };
  return { type: 'Feature', properties, geometry: featureGeometry(geometry) };
}

const COLUMNS: readonly TableColumn[] = [
  AREA,
  { name: CLUSTER_ID, type: 'integer', description: 'Terrain cluster 0-3; null without elevation' },
  { name: 'terrain_description', type: 'text', description: 'Terrain cluster in words' },
  ...SHARES.map((group) => ({
    name: shareName(group),
    type: 'number' as const,
    unit: '%',
    description: `Share of the area with landforms of the group ${group.replace('_', ' ')}, percent`,
  })),
];

/** `table:columns` of the layer. */
export const descriptorColumns = columnInputs([UID, ...COLUMNS], 'Outline of the micro-watershed');

/** Sheet `terrain` of a tehsil: the layer's attributes, a row per micro-watershed. */
export function descriptorTable(
  tehsilId: number,
  features: readonly Feature<MultiPolygon, DescriptorProperties>[],
): PublishedTable {
  return {
    name: 'terrain',
    tehsilId,
    key: 'uid',
    columns: [UID, ...COLUMNS],
    rows: features.map(({ properties }) => properties),
  };
}

/** Each micro-watershed in the colour of its cluster. */
export const DESCRIPTOR_STYLE: VectorStyle = {
  attribute: CLUSTER_ID,
  title: 'Terrain clusters',
  limits: [-0.5, ...TERRAIN_CLUSTERS.map(({ id }) => id + 0.5)],
  colors: TERRAIN_CLUSTERS.map(({ color }) => color),
};

/** `#rrggbb` of a micro-watershed in the preview. */
export const clusterColor = (properties: DescriptorProperties): string =>
  TERRAIN_CLUSTERS.find(({ id }) => id === properties[CLUSTER_ID])?.color ?? NO_CLUSTER;

/** Legend of the preview: the clusters, numbered from 1 as a legend wants whole numbers above 0. */
export function clusterLegend(): NonEmpty<ClassInput> {
  const [first, ...others] = TERRAIN_CLUSTERS.map(({ id, title, color }): ClassInput => ({
    value: id + 1,
    name: `cluster_${id}`,
    title,
    description: title,
    color,
  }));
  if (first === undefined) throw new RangeError('there are no terrain clusters');
  return [first, ...others];
}

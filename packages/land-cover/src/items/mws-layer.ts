import type { Feature, FeatureCollection, MultiPolygon } from 'geojson';
import { featureGeometry, type Mws, sphericalAreaHa, type TableColumn, type ZonalAreas } from '@headwater/core';
import { isMostlySeen } from '@headwater/core/values';
import { hectares, MWS_AREA, type VectorStyle } from '@headwater/layer-kit';
import { displayColor, LULC_CLASSES } from '../classes/classes.ts';

/** Hectares by year and uid of the MWS. Each list has 256 numbers, indexed by class. */
export type AreasByYear = ReadonlyMap<number, ZonalAreas>;

/** Attributes of an MWS: `uid`, `area_in_ha`, and hectares in `<prefix><year>` and `unseen_area_<year>`. */
export type MwsProperties = Readonly<Record<string, string | number | null>>;

/** Returns the hectares without a class; 0 if the zone is missing. */
export const unseenOf = (areas: readonly number[] | undefined): number => areas?.[0] ?? 0;

/** True if at least half of the area was seen, or if the zone is missing. `areas`: hectares by class. */
export const isSeen = (areas: readonly number[] | undefined): boolean =>
  isMostlySeen(
    unseenOf(areas),
    (areas ?? []).reduce((sum, area) => sum + area, 0),
  );

const COLUMNS = LULC_CLASSES.flatMap((c) => (c.columnPrefix === null ? [] : [{ ...c, prefix: c.columnPrefix }]));

/**
 * Creates the layer of micro-watersheds, one feature per uid. The classes of a year are null if less than half of the
 * MWS was seen. Class areas are measured on the ellipsoid, and `area_in_ha` on a sphere. So the sum of the classes
 * differs slightly from `area_in_ha`.
 */
export function mwsLayer(mws: readonly Mws[], areas: AreasByYear): FeatureCollection<MultiPolygon, MwsProperties> {
  return { type: 'FeatureCollection', features: mws.map((m) => mwsFeature(m, areas)) };
}

function mwsFeature({ uid, geometry }: Mws, areas: AreasByYear): Feature<MultiPolygon, MwsProperties> {
  const columns = [...areas].flatMap(([year, zones]) => {
    const found = Object.hasOwn(zones, uid) ? zones[uid] : undefined;
    const known = isSeen(found);
    return [
      ...COLUMNS.map((c) => [`${c.prefix}${year}`, known ? (found?.[c.code] ?? 0) : null] as const),
      [`unseen_area_${year}`, unseenOf(found)] as const,
    ];
  });
  return {
    type: 'Feature',
    properties: { uid, area_in_ha: sphericalAreaHa(geometry), ...Object.fromEntries(columns) },
    geometry: featureGeometry(geometry),
  };
}

/** End of the descriptions of the class columns. */
export const NULL_IF_UNSEEN = 'null if less than half of the micro-watershed was seen';
export const UNSEEN = 'Hectares of the micro-watershed without a class, because too few images show them';

/** Columns of the classes by year, in the order of the properties. */
export const classColumns = (years: readonly number[]): readonly TableColumn[] =>
  years.flatMap((year) => [
    ...COLUMNS.map(({ prefix, title }) =>
      hectares(
        `${prefix}${year}`,
        `${title}: area in hectares, hydrological year ${year} (1 July ${year} - 30 June ${year + 1}); ${NULL_IF_UNSEEN}`,
      ),
    ),
    hectares(`unseen_area_${year}`, `${UNSEEN}, hydrological year ${year}`),
  ]);

/** Columns of the layer published with the rasters, in the order of the properties. */
export const mwsColumns = (years: readonly number[]): readonly TableColumn[] => [
  {
    name: 'uid',
    type: 'text',
    description: 'Identifier of the micro-watershed (MWS); joins with every other MWS layer',
  },
  MWS_AREA,
  ...classColumns(years),
];

/** Style with the colour of the largest class of the year. Contains only classes that occur. */
export function mwsStyle(layer: FeatureCollection<MultiPolygon, MwsProperties>, year: number): VectorStyle {
  const classes = COLUMNS.map((each) => ({ each, column: `${each.prefix}${year}` })).filter(({ column }) =>
    layer.features.some(({ properties }) => Number(properties[column] ?? 0) > 0),
  );
  return {
    attribute: '',
    title: `Largest land-cover class, ${year}-${year + 1}`,
    limits: [],
    colors: classes.map(({ each }) => displayColor(each)),
    labels: classes.map(({ each }) => each.title),
    largestOf: classes.map(({ column }) => column),
  };
}

import { LULC_CLASSES } from '@headwater/land-cover';
import { SAMPLE_YEARS } from '@headwater/sample-world';
import { landformCodes, LANDFORMS } from '@headwater/terrain';

/** A published raster: end of the Item's id (`own` for the table's Item), and name of the asset. */
export type RasterRef = readonly [item: string, asset: string];

/** Area of the pixels with one of the codes in any of the rasters, which share a grid. */
export interface AreaSum {
  readonly rasters: readonly RasterRef[];
  readonly codes: readonly number[];
}

/** Content of a column: hectares or, if `of` is set, percent of the area with the codes `of`. */
export interface ColumnSum extends AreaSum {
  readonly column: string;
  readonly of?: readonly number[];
}

/** Returns the area columns of a published table for these years. Rows with an equal `uid` are summed. */
export type TableSums = (years: readonly number[]) => readonly ColumnSum[];

const range = (year: number): string => `${year}-${year + 1}`;
const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const landCover = (year: number): RasterRef => [`land_use_land_cover_raster_${year}`, 'cog'];
const CROPS = [8, 9, 10, 11];
const WATER = [2, 3, 4];

function lulcVector(years: readonly number[]): readonly ColumnSum[] {
  const classes = LULC_CLASSES.flatMap(({ code, columnPrefix }) =>
    columnPrefix === null ? [] : { code, columnPrefix },
  );
  const of = (year: number): readonly ColumnSum[] => [
    ...classes.map(({ code, columnPrefix }) => ({
      column: `${columnPrefix.replace('_area_', '_in_ha_')}${year}`,
      rasters: [landCover(year)],
      codes: [code],
    })),
    { column: `unseen_in_ha_${year}`, rasters: [landCover(year)], codes: [0] },
  ];
  const last = { column: 'sum_in_ha', rasters: years.slice(-1).map(landCover), codes: classes.map(({ code }) => code) };
  return [last, ...years.flatMap(of)];
}

const unseen = (years: readonly number[]): readonly ColumnSum[] =>
  years.map((year) => ({ column: `unseen_area_in_ha_${range(year)}`, rasters: [landCover(year)], codes: [0] }));

function croppingIntensity(years: readonly number[]): readonly ColumnSum[] {
  const parts = { single_kharif: [8], single_non_kharif: [9], single: [8, 9], doubly: [10], triply: [11] };
  const yearly = years.flatMap((year) =>
    Object.entries(parts).map(([part, codes]): ColumnSum => ({
      column: `${part}_cropped_area_in_ha_${range(year)}`,
      rasters: [landCover(year)],
      codes,
    })),
  );
  return [...yearly, ...unseen(years), { column: 'sum_area_in_ha', rasters: years.map(landCover), codes: CROPS }];
}

function waterBodies(years: readonly number[]): readonly ColumnSum[] {
  const seasons = { total: WATER, kharif: WATER, rabi: [3, 4], zaid: [4] };
  const yearly = years.flatMap((year) =>
    Object.entries(seasons).map(([season, codes]): ColumnSum => ({
      column: `${season}_area_in_ha_${range(year)}`,
      rasters: [landCover(year)],
      codes,
    })),
  );
  return [...yearly, ...unseen(years), { column: 'total_swb_area_in_ha', rasters: years.map(landCover), codes: WATER }];
}

/** Areas of a table of changes. The codes of `columns` are their positions, from 1. */
const changes =
  (item: string, columns: readonly string[], total: readonly [string, readonly number[]]): TableSums =>
  () => {
    const rasters: readonly RasterRef[] = [[`change_${item}_raster`, 'cog']];
    const single = columns.map((column, index) => ({ column: `${column}_area_in_ha`, rasters, codes: [index + 1] }));
    const all = { column: `total_${total[0]}_area_in_ha`, rasters, codes: total[1] };
    return [...single, all, { column: 'unseen_area_in_ha', rasters, codes: [255] }];
  };

const GROUPS = ['plain', 'slopy', 'hill_slope', 'ridge', 'valley'] as const;

const terrain: TableSums = () =>
  GROUPS.map((group) => ({
    column: `${group}_area_percent`,
    rasters: [['terrain_raster', 'cog']],
    codes: landformCodes(group),
    of: LANDFORMS.map(({ code }) => code),
  }));

const COVERS = {
  barren: 7,
  forests: 6,
  shrub_scrubs: 12,
  single_kharif: 8,
  single_non_kharif: 9,
  double_cropping: 10,
  triple_cropping: 11,
};
/** Areas of land cover on one kind of terrain. `first` is the code of unseen land: 1 for plains, 17 for slopes. */
const landCoverOn =
  (first: number): TableSums =>
  () => [
    ...Object.entries(COVERS).map(([name, code]): ColumnSum => ({
      column: `${name}_area_percent`,
      rasters: [['own', 'codes']],
      codes: [first + code],
      of: [...numbers(2, 16), ...numbers(18, 32)],
    })),
    { column: 'unseen_area_in_ha', rasters: [['own', 'codes']], codes: [1, 17] },
  ];

const cover = (name: string): string => `change_detection_${name}`;
const GAINED = ['forest', 'built_up', 'farm', 'barren', 'scrub_land'].map((from) => `${from}_to_forest`);
const LOST = ['forest', 'built_up', 'farm', 'barren', 'scrub_land'].map((to) => `forest_to_${to}`);
const LESS = ['double_to_single', 'triple_to_single', 'triple_to_double'];
const MORE = ['single_to_double', 'single_to_triple', 'double_to_triple'];
const SAME = ['single', 'double', 'triple'].map((times) => `${times}_to_${times}`);
const CROP_CHANGES = [...LESS, ...MORE, ...SAME];

/** Every published table with columns of areas, by name; add a line for a new table. */
export const TABLE_SUMS: Readonly<Record<string, TableSums>> = {
  lulc_vector: lulcVector,
  croppingIntensity_annual: croppingIntensity,
  surfaceWaterBodies_annual: waterBodies,
  kyl_surface_water: (years) => [{ column: 'total_swb_area_in_ha', rasters: years.map(landCover), codes: WATER }],
  mws_intersect_swb: (years) => [{ column: 'area_in_ha', rasters: years.map(landCover), codes: WATER }],
  [cover('urbanization')]: changes(
    'urbanization',
    ['built_up', 'water', 'tree_farm', 'barren_shrub'].map((from) => `${from}_to_built_up`),
    ['urbanization', [2, 3, 4]],
  ),
  [cover('degradation')]: changes(
    'cropping_reduction',
    ['farm', 'built_up', 'barren', 'scrub_land'].map((to) => `farm_to_${to}`),
    ['degradation', [2, 3, 4]],
  ),
  [cover('deforestation')]: changes('tree_cover_loss', LOST, ['deforestation', [2, 3, 4, 5]]),
  [cover('afforestation')]: changes('tree_cover_gain', GAINED, ['afforestation', [2, 3, 4, 5]]),
  [cover('cropintensity')]: changes('cropping_intensity', CROP_CHANGES, ['change_crop_intensity', numbers(1, 6)]),
  terrain,
  stream_order: () =>
    numbers(1, 11).map((order) => ({
      column: `order_${order}_area_percent`,
      rasters: [['stream_order_raster', 'cog']],
      codes: [order],
      of: numbers(0, 254),
    })),
  terrain_lulc_plain: landCoverOn(1),
  terrain_lulc_slope: landCoverOn(17),
};

/** Columns with the area that has crops (or water) in any year, but was not observed in the year of the column. */
const within = (land: string): readonly string[] =>
  SAMPLE_YEARS.map((year) => `unseen_${land}_area_in_ha_${range(year)}`);

/** Columns of areas or percent that are not sums over rasters, by table. */
export const NO_SUMS: Readonly<Record<string, readonly string[]>> = {
  '*': ['area_in_ha'],
  kyl_surface_water: ['kharif', 'rabi', 'zaid'].map((season) => `avg_${season}_surface_water_mws`),
  croppingIntensity_annual: within('cropable'),
  surfaceWaterBodies_annual: within('water'),
  stream_order: ['unknown_order_area_percent'],
  kyl_cropping_intensity: ['avg_single_cropped', 'avg_double_cropped', 'avg_triple_cropped'],
};

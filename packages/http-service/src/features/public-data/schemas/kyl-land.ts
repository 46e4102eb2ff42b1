import type { TableRow } from '@headwater/core';
import { meanOf } from './kyl-years.ts';

/** Sheet of the elevations of each micro-watershed, in metres. */
export const DEM_SHEET = 'dem';

/** Sheets of land cover, drainage and elevation from which indicators are figured. */
export const LAND_SHEETS = ['lulc_vector', 'croppingIntensity_annual', 'drainage_density', DEM_SHEET] as const;

/** Indicators that later records of the live system have: percent of the micro-watershed, km of streams per km2, metres. */
type Field =
  | 'lulc_shrub_percent'
  | 'lulc_forest_percent'
  | 'lulc_crop_percent'
  | 'drainage_density'
  | 'relief'
  | 'mean_elevation'
  | 'relative_mean_elevation';

/**
 * What rows of these sheets tell, as the live system figures it (core-stack-backend, `stats_generator/mws_indicators.py`): shrubs and forest
 * are means of all years, crops are land that was cropped in any year; a micro-watershed is high or low beside `tehsilElevation`, the
 * `meanElevation` of its tehsil. Two decimals; a field of which nothing is known is left out.
 */
export function landIndicators(
  rows: ReadonlyMap<string, TableRow>,
  tehsilElevation?: number,
): Partial<Record<Field, number>> {
  const [cover = {}, crops = {}, drainage = {}, dem = {}] = LAND_SHEETS.map((sheet) => rows.get(sheet));
  const found: Readonly<Record<Field, number | undefined>> = {
    lulc_shrub_percent: percent(meanOfYears(cover, 'shrub_scrub_in_ha_'), cover),
    lulc_forest_percent: percent(meanOfYears(cover, 'tree_forest_in_ha_'), cover),
    lulc_crop_percent: percent(numberAt(crops, 'sum_area_in_ha'), crops),
    // Older workbooks of the live system have the shorter name.
    drainage_density: rounded(
      numberAt(drainage, 'drainage_density_std_in_km_per_km2') ?? numberAt(drainage, 'drainage_density'),
    ),
    relief: rounded(difference(elevation(dem, 'max'), elevation(dem, 'min'))),
    mean_elevation: rounded(elevation(dem, 'mean')),
    relative_mean_elevation: rounded(difference(elevation(dem, 'mean'), tehsilElevation)),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Mean of the mean elevations of these rows of `DEM_SHEET`, in metres; undefined where none is known. */
export const meanElevation = (rows: readonly TableRow[]): number | undefined =>
  meanOf(rows.flatMap((row) => elevation(row, 'mean') ?? []));

/** In metres; older workbooks of the live system do not name the unit. */
const elevation = (row: TableRow, which: 'min' | 'max' | 'mean'): number | undefined =>
  numberAt(row, `${which}_elevation_in_m`) ?? numberAt(row, `${which}_elevation`);

const difference = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a - b;

function meanOfYears(row: TableRow, beginning: string): number | undefined {
  const names = Object.keys(row).filter((name) => name.startsWith(beginning));
  return meanOf(names.flatMap((name) => numberAt(row, name) ?? []));
}

/** Hectares as a share of the micro-watershed. */
function percent(hectares: number | undefined, row: TableRow): number | undefined {
  const all = numberAt(row, 'area_in_ha');
  return hectares === undefined || all === undefined || all <= 0 ? undefined : rounded((hectares / all) * 100);
}

function numberAt(row: TableRow, name: string): number | undefined {
  const value = row[name];
  return typeof value === 'number' ? value : undefined;
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 100) / 100;
}

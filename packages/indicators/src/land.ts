import type { TableRow } from '@headwater/core';
import { meanOf, ofSeenLand, yearsOf } from './years.ts';

/**
 * Mean over all years of a land cover's share of the seen land, percent, two decimals.
 * Source: core-stack-backend, `stats_generator/mws_indicators.py`, which divides by all land.
 */
export function landShare(cover: TableRow, kind: 'shrub_scrub' | 'tree_forest'): number | undefined {
  const land = { whole: numberAt(cover, 'area_in_ha'), unseen: 'unseen_in_ha' };
  const values = ofSeenLand(yearsOf(cover), `${kind}_in_ha`, land).map(([, hectares]) => hectares);
  return percentOfArea(meanOf(values), cover);
}

/**
 * Land that was cropped in any year, percent of `area_in_ha`, two decimals. Source: core-stack-backend,
 * `stats_generator/mws_indicators.py`.
 */
export const croppedShare = (crops: TableRow): number | undefined =>
  percentOfArea(numberAt(crops, 'sum_area_in_ha'), crops);

/**
 * Length of all streams per area, km per km2, two decimals. Source: core-stack-backend,
 * `stats_generator/mws_indicators.py`.
 */
export const drainageDensity = (row: TableRow): number | undefined =>
  rounded(numberAt(row, 'drainage_density_std_in_km_per_km2') ?? numberAt(row, 'drainage_density'));

/** Highest minus lowest elevation, m, two decimals. Source: core-stack-backend, `stats_generator/mws_indicators.py`. */
export const relief = (dem: TableRow): number | undefined =>
  rounded(difference(elevationAt(dem, 'max'), elevationAt(dem, 'min')));

/** Mean elevation, m, two decimals. Source: core-stack-backend, `stats_generator/mws_indicators.py`. */
export const elevation = (dem: TableRow): number | undefined => rounded(elevationAt(dem, 'mean'));

/**
 * Mean elevation minus the tehsil's `meanElevation`, m, two decimals. Source: core-stack-backend,
 * `stats_generator/mws_indicators.py`.
 */
export const relativeElevation = (dem: TableRow, tehsilElevation: number | undefined): number | undefined =>
  rounded(difference(elevationAt(dem, 'mean'), tehsilElevation));

/**
 * Mean of the mean elevations, m; undefined if none is known. Source: core-stack-backend,
 * `stats_generator/mws_indicators.py`.
 */
export const meanElevation = (rows: readonly TableRow[]): number | undefined =>
  meanOf(rows.flatMap((row) => elevationAt(row, 'mean') ?? []));

/** Elevation in m. Columns of older workbooks have no unit in their names. */
const elevationAt = (row: TableRow, which: 'min' | 'max' | 'mean'): number | undefined =>
  numberAt(row, `${which}_elevation_in_m`) ?? numberAt(row, `${which}_elevation`);

const difference = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a - b;

function percentOfArea(hectares: number | undefined, row: TableRow): number | undefined {
  const all = numberAt(row, 'area_in_ha');
  return hectares === undefined || all === undefined || all <= 0 ? undefined : rounded((hectares / all) * 100);
}

function numberAt(row: TableRow, name: string): number | undefined {
  const value = row[name];
  return typeof value === 'number' ? value : undefined;
}

const rounded = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(value * 100) / 100;
